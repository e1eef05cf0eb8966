// What builds start from, made on this machine without a registry: cais/debian:12, cais/node:20 (runtime) and
// cais/node-build:20 (npm and compilers). Recipes and figures: dataplane 1. Mirrors, certificates and the npm registry
// are those of the host.
import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createReadStream, existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type Docker from 'dockerode'
import { connectDocker, statusOf, withEngine } from '../drivers/docker/engine.ts'
import type { Announce } from './announce.ts'
import { aptSources } from './apt-sources.ts'

const RECIPE_LABEL = 'cais.recipe'
const NODE_MAJOR = 20
const SUITE = 'bookworm'
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt'
const PATHS = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const TRUST = [`NODE_EXTRA_CA_CERTS=${BUNDLE}`, `SSL_CERT_FILE=${BUNDLE}`]

interface BaseImage {
  tag: string
  /** Made anew when this changes. */
  recipe: number
  /** Where there is no mmdebstrap (a Mac, a host without root): this, from the registry. */
  official: string
  make(docker: Docker, folder: string, image: BaseImage): Promise<void>
}

// In this order: the last is made from the first.
const IMAGES: BaseImage[] = [
  { tag: 'cais/debian:12', recipe: 1, official: 'debian:12-slim', make: makeDebian },
  { tag: `cais/node:${NODE_MAJOR}`, recipe: 2, official: `node:${NODE_MAJOR}-bookworm-slim`, make: makeNodeRuntime },
  { tag: `cais/node-build:${NODE_MAJOR}`, recipe: 1, official: `node:${NODE_MAJOR}-bookworm`, make: makeNodeBuild },
]

/**
 * Makes the base images that are missing or of an older recipe, each announced with the time it took; those that are
 * there cost one look. Throws with the end of what the failing program said.
 */
export async function ensureBaseImages(config: { dockerHost: string | null }, announce: Announce): Promise<void> {
  const docker = connectDocker(config.dockerHost)
  await withEngine(docker, 'making the base images', async () => {
    for (const image of IMAGES) {
      if (await isMade(docker, image)) continue
      await announce(`base image ${image.tag}`, () => make(docker, image))
    }
  })
}

async function isMade(docker: Docker, { tag, recipe }: BaseImage): Promise<boolean> {
  try {
    const found = await docker.getImage(tag).inspect()
    return found.Config.Labels?.[RECIPE_LABEL] === String(recipe)
  } catch (error) {
    if (statusOf(error) === 404) return false
    throw error
  }
}

async function make(docker: Docker, image: BaseImage): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cais-base-'))
  try {
    if (await hasProgram('mmdebstrap')) await image.make(docker, folder, image)
    else await takeOfficial(docker, folder, image)
  } catch (error) {
    throw new Error(`cannot make the base image ${image.tag}`, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeDebian(docker: Docker, folder: string, image: BaseImage): Promise<void> {
  const withoutPapers = ['man', 'doc', 'locale'].map(name => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  const archive = await debootstrap(folder, [
    '--variant=minbase',
    '--include=ca-certificates',
    ...withoutPapers,
    `--customize-hook=cp ${quote(hostBundle())} "$1${BUNDLE}"`,
    '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*',
  ])
  await importImage(docker, archive, image, [PATHS, ...TRUST])
}

async function makeNodeRuntime(docker: Docker, folder: string, image: BaseImage): Promise<void> {
  const hook = path.join(folder, 'hook.sh')
  await writeFile(hook, runtimeHook(await nodeBinary(folder)))
  await chmod(hook, 0o755)
  const archive = await debootstrap(folder, [
    '--variant=extract',
    '--include=libc6,libstdc++6,libgcc-s1,busybox,base-files,netbase,tzdata',
    // The `extract` variant knows only this hook.
    `--extract-hook=${quote(hook)} "$1"`,
  ])
  await importImage(docker, archive, image, [PATHS, ...TRUST])
}

// No package is configured here, so what their scripts would have made is written by hand.
function runtimeHook(node: string): string {
  return `#!/bin/sh
set -eu
cd "$1"
mkdir -p bin etc/ssl/certs usr/local/bin app tmp root
for name in $(chroot . /bin/busybox --list); do
  [ -e "bin/$name" ] || [ "$name" = busybox ] || ln -s busybox "bin/$name"
done
mkdir -p usr/bin && ln -sf ../../bin/env usr/bin/env
printf 'root:x:0:0:root:/root:/bin/sh\\nnode:x:1000:1000::/tmp:/bin/sh\\napp:x:10001:10001::/tmp:/bin/sh\\nnobody:x:65534:65534::/:/bin/sh\\n' > etc/passwd
printf 'root:x:0:\\nnode:x:1000:\\napp:x:10001:\\nnogroup:x:65534:\\n' > etc/group
cp -L ${quote(node)} usr/local/bin/node
cp -L ${quote(hostBundle())} ".${BUNDLE}"
chmod 755 usr/local/bin/node app
chmod 1777 tmp
rm -rf usr/share/doc usr/share/man usr/share/locale var/lib/apt/lists/* var/cache/apt/*
`
}

async function makeNodeBuild(docker: Docker, folder: string, image: BaseImage): Promise<void> {
  const context = path.join(folder, 'context')
  await mkdir(context)
  await cp(await nodeBinary(folder), path.join(context, 'node'), { dereference: true })
  await cp(path.join(await npmOutput(['root', '-g']), 'npm'), path.join(context, 'npm'), { recursive: true })
  await writeFile(path.join(context, 'npmrc'), await npmSettings())
  await writeFile(
    path.join(context, 'Dockerfile'),
    `FROM cais/debian:12
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 make g++ git && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /usr/local/etc/npmrc
RUN chmod 755 /usr/local/bin/node && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx && chmod 755 /usr/local/lib/node_modules/npm/bin/*-cli.js && groupadd -g 1000 node && useradd -u 1000 -g 1000 -m node
CMD ["node"]
`,
  )
  await buildFrom(docker, context, image)
}

async function takeOfficial(docker: Docker, folder: string, image: BaseImage): Promise<void> {
  const context = path.join(folder, 'context')
  await mkdir(context)
  await writeFile(path.join(context, 'Dockerfile'), `FROM ${image.official}\n`)
  await buildFrom(docker, context, image)
}

async function debootstrap(folder: string, options: string[]): Promise<string> {
  const archive = path.join(folder, 'root.tar')
  const sources = await aptSources(SUITE)
  const list = path.join(folder, 'sources.list')
  await writeFile(list, sources.map(line => `${line}\n`).join(''))
  // Without a list of our own mmdebstrap takes the mirrors that it was packaged with.
  const mirrors = sources.length > 0 ? [list] : []
  const aptOptions = ['--aptopt=Acquire::Languages "none"', '--aptopt=APT::Install-Recommends "0"']
  await run('mmdebstrap', [...aptOptions, ...options, SUITE, archive, ...mirrors])
  return archive
}

async function importImage(docker: Docker, archive: string, image: BaseImage, env: string[]): Promise<void> {
  const [repo, version] = image.tag.split(':')
  const changes = [...env.map(pair => `ENV ${pair}`), `LABEL ${RECIPE_LABEL}=${image.recipe}`, 'CMD ["/bin/sh"]'].join(
    '\n',
  )
  const answer = await docker.importImage(createReadStream(archive), { repo, tag: version, changes })
  await finished(docker, answer)
}

// The host's own network: this is set-up, trusted, and must reach what the host reaches.
async function buildFrom(docker: Docker, context: string, image: BaseImage): Promise<void> {
  const tar = spawn('tar', ['-C', context, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const labels = { [RECIPE_LABEL]: String(image.recipe) }
  const answer = await docker.buildImage(tar.stdout, { t: image.tag, labels, networkmode: 'host', forcerm: true })
  await finished(docker, answer)
}

async function finished(docker: Docker, answer: NodeJS.ReadableStream): Promise<void> {
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    const done = (error: Error | null): void => (error ? reject(error) : resolve())
    const heard = (event: { stream?: string; error?: string }): void => {
      if (event.stream) said.push(event.stream)
      if (event.error) reject(new Error(`${event.error}\n${said.slice(-20).join('')}`))
    }
    docker.modem.followProgress(answer, done, heard)
  })
}

/** The host's own program where its major fits; else the same program from the npm registry. */
async function nodeBinary(folder: string): Promise<string> {
  const fits = process.platform === 'linux' && process.versions.node.startsWith(`${NODE_MAJOR}.`)
  if (fits) return process.execPath
  const target = path.join(folder, 'node-package')
  await mkdir(target, { recursive: true })
  const name = `node-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}@${NODE_MAJOR}`
  const packed = await npmOutput(['pack', name, '--silent', '--pack-destination', target])
  await run('tar', ['-C', target, '-xzf', path.join(target, packed.split('\n').at(-1) ?? '')])
  return path.join(target, 'package/bin/node')
}

async function npmSettings(): Promise<string> {
  const registry = await npmOutput(['config', 'get', 'registry'])
  const settings = [`cafile=${BUNDLE}`, 'update-notifier=false', 'fund=false', 'audit=false']
  if (URL.canParse(registry)) settings.push(`registry=${withoutCredentials(registry)}`)
  return [...settings, ''].join('\n')
}

function withoutCredentials(address: string): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}

/** Certificates that this host trusts, in one file: a host behind an intercepting proxy needs them in every build. */
function hostBundle(): string {
  const candidates = [
    BUNDLE,
    process.env['SSL_CERT_FILE'],
    process.env['NODE_EXTRA_CA_CERTS'],
    '/etc/pki/tls/certs/ca-bundle.crt',
  ]
  const found = candidates.find(file => file && existsSync(file))
  if (!found) throw new Error('no bundle of certificates is on this machine: install ca-certificates')
  return found
}

async function hasProgram(name: string): Promise<boolean> {
  return (process.env['PATH'] ?? '').split(':').some(folder => existsSync(path.join(folder, name)))
}

async function npmOutput(args: string[]): Promise<string> {
  // Asked from a folder without a project: the settings meant are those of the machine.
  return run('npm', args, { cwd: os.tmpdir() })
}

async function run(command: string, args: string[], options: { cwd?: string } = {}): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, complaints]: [Buffer[], Buffer[]] = [[], []]
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  await Promise.all([collect(child.stdout, output), collect(child.stderr, complaints), code])
  if ((await code) === 0) return Buffer.concat(output).toString().trim()
  const lines = Buffer.concat(complaints).toString().trimEnd().split('\n').slice(-25).join('\n')
  throw new Error(`${command} failed (exit code ${await code}). Its last lines:\n${lines}`)
}

async function collect(from: NodeJS.ReadableStream, into: Buffer[]): Promise<void> {
  await pipeline(from, async source => {
    for await (const chunk of source) into.push(chunk as Buffer)
  })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
