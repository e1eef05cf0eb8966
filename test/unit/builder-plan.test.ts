import t from 'tap'
import { baseReferences, localStandIn, withBases } from '../../src/drivers/builder/base-reference.ts'
import { ignored } from '../../src/drivers/builder/ignore.ts'
import { planBuild, type Wish } from '../../src/drivers/builder/plan.ts'
import { insideRoot, type Project } from '../../src/drivers/builder/project.ts'
import { isPlainlyRoot, numericIdentity, resolveIdentity, type Accounts } from '../../src/drivers/docker/identity.ts'
import { linesOf, nanosecondStamp } from '../../src/drivers/docker/log-lines.ts'
import { isSimple, shellCommand } from '../../src/drivers/docker/start-command.ts'

const wish: Wish = { builder: 'auto', buildCommand: null, startCommand: null, user: null }

function project(files: Record<string, string | object>): Project {
  const texts = new Map(
    Object.entries(files).map(([name, text]) => [name, typeof text === 'string' ? text : JSON.stringify(text)]),
  )
  return { files: new Set(texts.keys()), text: name => texts.get(name) ?? null }
}

const motivo = (refused: () => unknown): string => {
  try {
    refused()
  } catch (error) {
    const { code, details } = error as { code: string; details: { motivo: string } }
    return code === 'deploy_failed' ? details.motivo : `${code}?`
  }
  return 'nothing was refused'
}

t.test('auto takes the first that fits', async t => {
  const chosen = (files: Record<string, string | object>): string => planBuild(project(files), wish).builder
  t.equal(chosen({ Dockerfile: 'FROM x', 'package.json': {}, 'index.html': '' }), 'dockerfile')
  t.equal(chosen({ 'package.json': { scripts: { start: 'node x' } }, 'index.html': '' }), 'node')
  t.equal(chosen({ 'package.json': {}, 'server.js': '' }), 'node')
  t.equal(chosen({ 'package.json': { scripts: { build: 'vite build' } }, 'index.html': '' }), 'static')
  t.equal(chosen({ 'package.json': {}, 'public/index.html': '' }), 'static')
  t.equal(chosen({ 'index.html': '' }), 'static')
  t.equal(chosen({ 'dist/index.html': '', 'requirements.txt': '' }), 'static')
})

t.test('what no builder takes is named, with what is possible now', async t => {
  t.match(
    motivo(() => planBuild(project({ 'go.mod': 'module x' }), wish)),
    /foi encontrado go\.mod \(projeto Go\).*Dockerfile/,
  )
  t.match(
    motivo(() => planBuild(project({ 'main.py': '' }), wish)),
    /main\.py/,
  )
  t.match(
    motivo(() => planBuild(project({ 'go.mod': '' }), { ...wish, builder: 'go' })),
    /"go" ainda não/,
  )
  t.match(
    motivo(() => planBuild(project({ 'x.js': '' }), { ...wish, builder: 'dockerfile' })),
    /não há um Dockerfile/,
  )
  t.match(
    motivo(() => planBuild(project({ 'package.json': '{' }), wish)),
    /não é um JSON válido/,
  )
  t.match(
    motivo(() => planBuild(project({ 'package.json': {} }), wish)),
    /defina o script "start"/,
  )
})

t.test('a Node.js plan installs from the lock file first, builds, and keeps only what runs', async t => {
  const manifest = {
    scripts: { start: 'node dist/server.js', build: 'tsc' },
    dependencies: { express: '4' },
    devDependencies: { typescript: '5' },
  }
  const plan = planBuild(project({ 'package.json': manifest, 'package-lock.json': '{}' }), wish)
  t.same(
    plan.dockerfile.split('\n').filter(line => !line.startsWith('ENV')),
    [
      'FROM cais/node-build:20 AS build',
      'WORKDIR /app',
      'COPY ["package-lock.json","package.json","./"]',
      'RUN npm ci',
      'COPY . .',
      'RUN ["/bin/sh","-c","npm run build"]',
      'RUN npm prune --omit=dev --ignore-scripts',
      'FROM cais/node:20',
      'WORKDIR /app',
      'USER 10001:10001',
      'CMD ["/bin/sh","-c","exec node dist/server.js"]',
      'COPY --from=build --chown=10001:10001 /app /app',
      '',
    ],
  )
  t.match(plan.reasons.join('\n'), /package-lock\.json[^]*npm ci[^]*script "build"[^]*script "start"/)
})

t.test('a project without dependencies or build has no build stage', async t => {
  const plan = planBuild(project({ 'package.json': { main: 'app.js' }, 'app.js': '' }), { ...wish, user: '2000:2000' })
  t.notMatch(plan.dockerfile, /AS build/)
  t.match(plan.dockerfile, /COPY --chown=2000:2000 \. \/app/)
  t.match(plan.dockerfile, /exec node app\.js/)
})

t.test('scripts of the installation see the whole project', async t => {
  const manifest = { scripts: { start: 'node x', postinstall: 'node gen.js' }, dependencies: { a: '1' } }
  const { dockerfile } = planBuild(project({ 'package.json': manifest, 'package-lock.json': '{}' }), wish)
  t.ok(dockerfile.indexOf('COPY . .') < dockerfile.indexOf('RUN npm ci'))
})

t.test('a start command that calls npm brings npm along', async t => {
  const files = { 'package.json': { scripts: { serve: 'node x' } } }
  const { dockerfile } = planBuild(project(files), { ...wish, startCommand: 'npm run serve' })
  t.match(dockerfile, /COPY --from=cais\/node-build:20 .*node_modules\/npm /)
  t.notMatch(planBuild(project(files), { ...wish, startCommand: 'node npm.js' }).dockerfile, /node_modules\/npm /)
})

t.test('the package manager is the one that the project names, then that of its lock file', async t => {
  const reasons = (files: Record<string, string | object>): string => planBuild(project(files), wish).reasons.join('\n')
  const start = { scripts: { start: 'x' }, dependencies: { a: '1' } }
  t.match(reasons({ 'package.json': { ...start, packageManager: 'pnpm@9.1.0' } }), /pnpm \(packageManager/)
  t.match(reasons({ 'package.json': start, 'pnpm-lock.yaml': "lockfileVersion: '6.0'" }), /pnpm \(há um pnpm-lock/)
  t.match(reasons({ 'package.json': start, 'yarn.lock': '' }), /yarn install --frozen-lockfile/)
  t.match(
    motivo(() => reasons({ 'package.json': start, 'yarn.lock': '', '.yarnrc.yml': '' })),
    /yarn 2/,
  )
  const { dockerfile } = planBuild(project({ 'package.json': { ...start, packageManager: 'pnpm@1; rm -rf /' } }), wish)
  t.notMatch(dockerfile, /rm -rf/)
})

t.test('a command of several lines stays one instruction', async t => {
  const files = { 'package.json': { scripts: { start: 'x' } } }
  const { dockerfile } = planBuild(project(files), { ...wish, buildCommand: 'echo 1\nFROM evil\nUSER 0' })
  t.notMatch(dockerfile, /^(FROM evil|USER 0)/m)
})

t.test('a site is served from the folder that has its page', async t => {
  t.match(planBuild(project({ 'index.html': '' }), wish).dockerfile, /COPY --chown=10001:10001 \.\/ \/site/)
  t.match(planBuild(project({ 'public/index.html': '' }), wish).dockerfile, /\.\/public \/site/)
  const made = planBuild(project({ 'package.json': { scripts: { build: 'x' } } }), wish)
  t.match(made.dockerfile, /COPY --from=build --chown=10001:10001 \/site \/site/)
  t.match(made.extra[0]?.text, /createServer/)
})

t.test('FROM lines are read with their arguments and stages, and replaced one by one', async t => {
  const text =
    'ARG V=20\nFROM --platform=linux/amd64 node:${V}-slim AS deps\nFROM deps AS two\nfrom debian:12\nCOPY --from=two /a /b\nFROM scratch\nFROM ${X:-alpine}'
  t.same(baseReferences(text), [
    { image: 'node:20-slim', line: 1 },
    { image: 'debian:12', line: 3 },
    { image: 'alpine', line: 6 },
  ])
  t.match(
    withBases(text, new Map([[1, 'cais/node-build:20']])),
    /^FROM --platform=linux\/amd64 cais\/node-build:20 AS deps$/m,
  )
  t.equal(localStandIn('docker.io/library/node:lts-alpine'), 'cais/node-build:20')
  t.equal(localStandIn('debian:bookworm-slim'), 'cais/debian:12')
  t.equal(localStandIn('node:18'), null)
  t.equal(localStandIn('node:20@sha256:00'), null)
})

t.test('.dockerignore leaves out what Docker would leave out', async t => {
  const out = ignored(['# why', 'node_modules', '*.log', '!keep.log', 'docs/**/*.md', '**/.git', '/tmp/'])
  for (const path of ['node_modules/a/b', 'a.log', 'docs/x.md', 'docs/a/b.md', '.git', 'sub/.git/config', 'tmp/x'])
    t.equal(out(path), true, path)
  for (const path of ['sub/node_modules/a', 'sub/a.log', 'keep.log', 'docs/a.txt', 'x.gitignore', 'tmpfile'])
    t.equal(out(path), false, path)
})

t.test('a root folder is a prefix of whole names', async t => {
  t.equal(insideRoot('./apps/api/x.js', 'apps/api/'), 'x.js')
  t.equal(insideRoot('apps/api2/x.js', 'apps/api'), null)
  t.equal(insideRoot('apps/api', 'apps/api'), null)
  t.equal(insideRoot('./x.js', null), 'x.js')
})

t.test('a simple command replaces the shell, a compound one ends with its program', async t => {
  for (const command of ['node server.js', 'node x --port $PORT', 'npm start'])
    t.same(shellCommand(command).cmd, [`exec ${command}`])
  for (const command of ['a && b', 'cd x; node y', 'A=1 node x', 'a | b', 'node x &', 'a\nb', 'export A=1'])
    t.equal(isSimple(command), false, command)
  t.same(shellCommand('a && b').env, { TINI_KILL_PROCESS_GROUP: '1' })
})

t.test('root is recognised by every spelling', async t => {
  for (const user of ['', '0', '00', 'root', '0:0', 'root:root', '0:10001', ':5'])
    t.equal(isPlainlyRoot(user), true, user)
  for (const user of ['10001', 'node', '10001:0']) t.equal(isPlainlyRoot(user), false, user)
  const accounts: Accounts = {
    users: [
      { name: 'root', uid: 0, gid: 0 },
      { name: 'toor', uid: 0, gid: 0 },
      { name: 'node', uid: 1000, gid: 1001 },
    ],
    groups: [{ name: 'web', gid: 33 }],
  }
  t.same(resolveIdentity('node', accounts), { uid: 1000, gid: 1001 })
  t.same(resolveIdentity('node:web', accounts), { uid: 1000, gid: 33 })
  t.same(resolveIdentity('1000', accounts), { uid: 1000, gid: 1001 })
  t.same(resolveIdentity('10001:10001', accounts), numericIdentity('10001:10001'))
  t.equal(resolveIdentity('toor', accounts), null)
  t.equal(resolveIdentity('nobody-knows', accounts), null)
  const trap = { ...accounts, users: [{ name: '10001', uid: 0, gid: 0 }] }
  t.equal(resolveIdentity('10001', trap), null, 'an account whose name is a number')
})

function frame(channel: number, content: string | Buffer): Buffer {
  const header = Buffer.alloc(8)
  header[0] = channel
  header.writeUInt32BE(Buffer.byteLength(content), 4)
  return Buffer.concat([header, Buffer.from(content as string)])
}

t.test('a multiplexed log becomes lines, also where messages and chunks are cut', async t => {
  const bytes = Buffer.concat([
    frame(1, '2026-01-01T00:00:00.000000001Z begun '),
    frame(2, '2026-01-01T00:00:00.000000002Z oops\n'),
    frame(1, '2026-01-01T00:00:00.000000003Z ended\r\n'),
    frame(1, '2026-01-01T00:00:01Z last'),
  ])
  async function* chunks(): AsyncIterable<Buffer> {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  const lines = []
  for await (const line of linesOf(chunks())) lines.push(line)
  t.same(lines, [
    { at: '2026-01-01T00:00:00.000000002Z', text: 'oops' },
    { at: '2026-01-01T00:00:00.000000001Z', text: 'begun ended' },
    { at: '2026-01-01T00:00:01.000000000Z', text: 'last' },
  ])
  t.equal(nanosecondStamp('2026-01-01T02:00:00.5+02:00'), '2026-01-01T00:00:00.500000000Z')
})

t.test(
  'C-126 a character cut by the engine is whole again; a line without an end is told once, and its rest dropped',
  async t => {
    const at = '2026-01-01T00:00:00.000000001Z '
    const letter = Buffer.from('ç')
    const part = Buffer.from(`${at}${'x'.repeat(16 * 1024)}`)
    async function* frames(): AsyncIterable<Buffer> {
      yield frame(2, Buffer.concat([Buffer.from(`${at}a`), letter.subarray(0, 1)]))
      yield frame(2, Buffer.concat([Buffer.from(at), letter.subarray(1), Buffer.from('ão\n')]))
      for (let i = 0; i < 100; i++) yield frame(1, part)
      yield frame(1, `${at}the end of it\n`)
      yield frame(1, `${at}the next\n`)
    }
    const lines = []
    for await (const line of linesOf(frames())) lines.push(line.text)
    t.equal(lines[0], 'ação')
    t.equal(lines[1]?.length, 33 * 16 * 1024, 'the first message beyond 512 KiB is the last')
    t.same(lines.slice(2), ['the next'])
  },
)
