// A Node.js project: dependencies from the lock file first, so that they are cached; then the build; then only what runs.
import { shellCommand } from '../docker/start-command.ts'
import type { BuildPlan, Wish } from './plan.ts'
import type { Project } from './project.ts'
import { failed } from './refusal.ts'

export const NODE_BUILD_IMAGE = 'cais/node-build:20'
export const NODE_RUNTIME_IMAGE = 'cais/node:20'
export const DEFAULT_USER = '10001:10001'
const NODE_VERSION = '20'
/** Left out of every context that we write the Dockerfile for. */
export const NEVER_COPIED = ['**/node_modules', '**/.git']
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']
const ENTRY_FILES = ['server.js', 'index.js', 'app.js', 'main.js', 'server.mjs', 'index.mjs']

export interface Package {
  main: string | null
  engines: string | null
  packageManager: string | null
  scripts: Record<string, string>
  workspaces: boolean
  dependencies: number
  devDependencies: number
}

interface PackageManager {
  name: 'npm' | 'pnpm' | 'yarn'
  why: string
  lock: string | null
  /** Package to install first, for a manager that the build image does not have. */
  tool: string | null
  install: string
  run: string
  prune: string
  /** Script of the program under /usr/local/lib/node_modules. */
  bin: string
}

/** package.json, as far as a plan needs it. Throws deploy_failed when it is not an object of JSON. */
export function readPackage(project: Project): Package {
  const text = project.text('package.json')
  if (text === null) throw failed('não há um package.json na raiz do projeto')
  const json = parse(text)
  const object = (value: unknown): Record<string, unknown> =>
    value && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  const string = (value: unknown): string | null => (typeof value === 'string' && value.trim() ? value.trim() : null)
  const scripts = Object.entries(object(json['scripts'])).filter(
    (pair): pair is [string, string] => string(pair[1]) !== null,
  )
  const optional = Object.keys(object(json['optionalDependencies'])).length
  return {
    main: string(json['main']),
    engines: string(object(json['engines'])['node']),
    packageManager: string(json['packageManager']),
    scripts: Object.fromEntries(scripts),
    workspaces: json['workspaces'] !== undefined,
    dependencies: Object.keys(object(json['dependencies'])).length + optional,
    devDependencies: Object.keys(object(json['devDependencies'])).length,
  }
}

/** True where it is known how the application is started. */
export function hasStart(project: Project, manifest: Package, wish: Wish): boolean {
  return startOf(project, manifest, wish) !== null
}

/** The plan of a server. Throws deploy_failed where nothing says how to start it. */
export function nodePlan(project: Project, wish: Wish, why: string): BuildPlan {
  const manifest = readPackage(project)
  const manager = managerOf(project, manifest)
  const start = startOf(project, manifest, wish)
  if (!start)
    throw failed(
      'não há como iniciar o aplicativo: defina o script "start" no package.json ou o comando de início do serviço',
    )
  const steps = buildSteps(project, manifest, manager, wish, true)
  const user = wish.user ?? DEFAULT_USER
  return {
    builder: 'node',
    reasons: [`Builder: node (${why})`, ...steps.reasons, `Início: ${start.command} (${start.why})`],
    dockerfile: [...steps.lines, ...runtime(steps.lines.length > 0, manager, start.command, user)].join('\n') + '\n',
    extra: [],
    ignore: NEVER_COPIED,
  }
}

/** Stage `build`: installs, builds, and with `prune` keeps only what runs. No lines where there is nothing to do. */
export function buildSteps(
  project: Project,
  manifest: Package,
  manager: PackageManager,
  wish: Wish,
  prune: boolean,
): { lines: string[]; reasons: string[] } {
  const needsInstall = manifest.dependencies + manifest.devDependencies > 0 || manifest.workspaces || installs(manifest)
  const build = wish.buildCommand ?? (manifest.scripts['build'] ? `${manager.run} build` : null)
  const reasons = [versionReason(project, manifest), `Gerenciador: ${manager.name} (${manager.why})`]
  reasons.push(needsInstall ? `Instalação: ${manager.install}` : 'Instalação: nenhuma (não há dependências)')
  const buildWhy = wish.buildCommand ? 'comando de build do serviço' : 'script "build" do package.json'
  reasons.push(build ? `Build: ${build} (${buildWhy})` : 'Build: nenhum (não há script "build")')
  if (!needsInstall && !build) return { lines: [], reasons }

  const prunes = prune && needsInstall && manifest.devDependencies > 0
  const manifests = [...project.files].filter(name => isManifest(name, manager))
  const early = needsInstall && !installs(manifest) && !manifest.workspaces && !hasFolder(project, 'patches')
  const lines = [
    `FROM ${NODE_BUILD_IMAGE} AS build`,
    'WORKDIR /app',
    ...(manager.tool && needsInstall ? [`RUN npm install --global ${manager.tool}`] : []),
    // Manifests alone first: the installation is cached until they change. Scripts of the project may need all of it.
    ...(early ? [`COPY ${JSON.stringify([...manifests.sort(), './'])}`, `RUN ${manager.install}`] : []),
    'COPY . .',
    ...(needsInstall && !early ? [`RUN ${manager.install}`] : []),
    ...(build ? [`RUN ${oneLine(build)}`] : []),
    ...(prunes ? [`RUN ${manager.prune}`] : []),
  ]
  return { lines, reasons }
}

/** Who installs the dependencies: packageManager, then the lock file, then npm. Throws deploy_failed for yarn 2 and later. */
export function managerOf(project: Project, manifest: Package): PackageManager {
  const [wanted, version = ''] = manifest.packageManager?.split('+')[0]?.split('@') ?? []
  if (wanted === 'pnpm') return pnpm(project, `packageManager é "pnpm@${version}"`, version)
  if (wanted === 'yarn') return yarn(project, `packageManager é "yarn@${version}"`, version)
  if (wanted !== 'npm' && project.files.has('pnpm-lock.yaml')) return pnpm(project, 'há um pnpm-lock.yaml', '')
  if (wanted !== 'npm' && project.files.has('yarn.lock')) return yarn(project, 'há um yarn.lock', '')
  const lock = ['package-lock.json', 'npm-shrinkwrap.json'].find(name => project.files.has(name)) ?? null
  return {
    name: 'npm',
    why: lock ? `há um ${lock}` : 'nenhum arquivo de trava; as versões podem mudar a cada build',
    lock,
    tool: null,
    install: lock ? 'npm ci' : 'npm install',
    run: 'npm run',
    prune: 'npm prune --omit=dev --ignore-scripts',
    bin: 'npm/bin/npm-cli.js',
  }
}

function pnpm(project: Project, why: string, version: string): PackageManager {
  const locked = project.files.has('pnpm-lock.yaml')
  const format = /^lockfileVersion:\s*'?(\d+)/m.exec(project.text('pnpm-lock.yaml') ?? '')?.[1]
  return {
    name: 'pnpm',
    why,
    lock: locked ? 'pnpm-lock.yaml' : null,
    tool: `pnpm@${exact(version) ?? (format === '6' ? '8' : '9')}`,
    install: locked ? 'pnpm install --frozen-lockfile' : 'pnpm install --no-frozen-lockfile',
    run: 'pnpm run',
    prune: 'pnpm prune --prod --ignore-scripts',
    bin: 'pnpm/bin/pnpm.cjs',
  }
}

function yarn(project: Project, why: string, version: string): PackageManager {
  const modern = /^[2-9]/.test(version) || project.files.has('.yarnrc.yml')
  if (modern)
    throw failed(
      'o projeto usa yarn 2 ou mais novo, que ainda não é reconhecido; use npm, pnpm, yarn 1 ou um Dockerfile',
    )
  const locked = project.files.has('yarn.lock') ? ' --frozen-lockfile' : ''
  return {
    name: 'yarn',
    why,
    lock: locked ? 'yarn.lock' : null,
    tool: `yarn@${exact(version) ?? '1'}`,
    install: `yarn install${locked} --non-interactive`,
    run: 'yarn run',
    prune: `yarn install${locked} --production --ignore-scripts --prefer-offline --non-interactive`,
    bin: 'yarn/bin/yarn.js',
  }
}

function startOf(project: Project, manifest: Package, wish: Wish): { command: string; why: string } | null {
  if (wish.startCommand) return { command: wish.startCommand, why: 'comando de início do serviço' }
  const { prestart, start } = manifest.scripts
  // Run without npm: one process less between the platform and the application.
  if (start) return { command: prestart ? `${prestart} && ${start}` : start, why: 'script "start" do package.json' }
  const main = manifest.main?.replace(/^\.\//, '')
  if (main && (project.files.has(main) || (manifest.scripts['build'] && main.includes('/'))))
    return { command: `node ${main}`, why: '"main" do package.json' }
  const entry = ENTRY_FILES.find(name => project.files.has(name))
  return entry ? { command: `node ${entry}`, why: `há um ${entry}` } : null
}

function runtime(staged: boolean, manager: PackageManager, start: string, user: string): string[] {
  const command = shellCommand(start)
  return [
    `FROM ${NODE_RUNTIME_IMAGE}`,
    ...programs(staged, manager, start),
    ...Object.entries(command.env).map(([name, value]) => `ENV ${name}=${value}`),
    'ENV NODE_ENV=production HOME=/tmp NPM_CONFIG_UPDATE_NOTIFIER=false PATH=/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'WORKDIR /app',
    `USER ${user}`,
    `CMD ${JSON.stringify([...command.entrypoint, ...command.cmd])}`,
    // Last: everything above is cached from one build to the next.
    staged ? `COPY --from=build --chown=${user} /app /app` : `COPY --chown=${user} . /app`,
  ]
}

// The runtime image has no package manager; one comes along only where the start command calls it.
function programs(staged: boolean, manager: PackageManager, start: string): string[] {
  const wanted = ['npm', 'npx', 'pnpm', 'yarn'].filter(name => new RegExp(`(^|[\\s;&|(])${name}(\\s|$)`).test(start))
  const from = (name: string): string => {
    if (name === 'npx') return 'npm/bin/npx-cli.js'
    return name === manager.name ? manager.bin : 'npm/bin/npm-cli.js'
  }
  const known = wanted.filter(name => name === 'npm' || name === 'npx' || (staged && name === manager.name))
  const packages = [...new Set(known.map(name => from(name).split('/')[0] ?? ''))]
  return [
    ...packages.map(name => {
      const source = name === 'npm' || !staged ? NODE_BUILD_IMAGE : 'build'
      return `COPY --from=${source} /usr/local/lib/node_modules/${name} /usr/local/lib/node_modules/${name}`
    }),
    ...known.map(name => `RUN ln -sf ../lib/node_modules/${from(name)} /usr/local/bin/${name}`),
  ]
}

function versionReason(project: Project, manifest: Package): string {
  const file = ['.nvmrc', '.node-version'].find(name => project.files.has(name))
  const [asked, where] = file
    ? [project.text(file)?.trim() ?? '', file]
    : [manifest.engines ?? '', 'engines do package.json']
  if (!asked) return `Node.js ${NODE_VERSION} (padrão da plataforma)`
  if (asked.replace(/^\D*/, '').startsWith(NODE_VERSION)) return `Node.js ${NODE_VERSION} (${where} pede "${asked}")`
  return `Node.js ${NODE_VERSION} (${where} pede "${asked}"; a plataforma tem por enquanto apenas a versão ${NODE_VERSION})`
}

function isManifest(name: string, manager: PackageManager): boolean {
  return ['package.json', '.npmrc', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.yarnrc', manager.lock].includes(name)
}

function installs(manifest: Package): boolean {
  return INSTALL_SCRIPTS.some(name => manifest.scripts[name])
}

function hasFolder(project: Project, folder: string): boolean {
  return [...project.files].some(name => name.startsWith(`${folder}/`))
}

/** A version that is nothing but a version: it goes into a command line. */
function exact(version: string): string | null {
  return /^\d+(\.\d+){0,2}(-[\w.]+)?$/.test(version) ? version : null
}

/** A command of several lines must not become instructions of a Dockerfile. */
export function oneLine(command: string): string {
  return JSON.stringify(['/bin/sh', '-c', command])
}

function parse(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (json && typeof json === 'object' && !Array.isArray(json)) return json as Record<string, unknown>
  } catch (error) {
    throw failed('o package.json não é um JSON válido', error)
  }
  throw failed('o package.json não é um objeto JSON')
}
