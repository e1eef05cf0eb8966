// A site of files: as uploaded, or made by its own tools first. Served by a small server of ours on the Node.js runtime.
import { readFileSync } from 'node:fs'
import {
  buildSteps,
  DEFAULT_USER,
  managerOf,
  NEVER_COPIED,
  NODE_BUILD_IMAGE,
  NODE_RUNTIME_IMAGE,
  oneLine,
  readPackage,
} from './node-plan.ts'
import type { BuildPlan, Wish } from './plan.ts'
import type { Project } from './project.ts'

const SERVER = '.cais/static-server.mjs'
/** Where site generators put their result, the usual ones first. */
const OUTPUT_FOLDERS = ['dist', 'build', 'out', '_site', 'public']
const SOURCE_FOLDERS = ['', 'public', 'dist', 'build', 'out', '_site']

/** Folder whose index.html is the site's, '' for the root; null = there is none. */
export function siteRoot(project: Project): string | null {
  return SOURCE_FOLDERS.find(folder => project.files.has(folder ? `${folder}/index.html` : 'index.html')) ?? null
}

/** The plan of a site. Any folder will do: without an index.html it is served all the same. */
export function staticPlan(project: Project, wish: Wish, why: string): BuildPlan {
  const stage = buildStage(project, wish)
  const root = siteRoot(project) ?? ''
  const user = wish.user ?? DEFAULT_USER
  const served = stage ? 'a pasta que o build gera' : root ? `a pasta ${root}/` : 'a raiz do projeto'
  const lines = [
    ...(stage?.lines ?? []),
    `FROM ${NODE_RUNTIME_IMAGE}`,
    'ENV NODE_ENV=production HOME=/tmp',
    `COPY ${SERVER} /srv/static-server.mjs`,
    'WORKDIR /site',
    `USER ${user}`,
    'CMD ["node", "/srv/static-server.mjs", "/site"]',
    stage ? `COPY --from=build --chown=${user} /site /site` : `COPY --chown=${user} ./${root} /site`,
  ]
  return {
    builder: 'static',
    reasons: [
      `Builder: static (${why})`,
      ...(stage?.reasons ?? []),
      `Servido: ${served}, pelo servidor de arquivos da plataforma`,
    ],
    dockerfile: `${lines.join('\n')}\n`,
    extra: [{ path: SERVER, text: readFileSync(new URL('./static-server.mjs', import.meta.url), 'utf8') }],
    ignore: NEVER_COPIED,
  }
}

function buildStage(project: Project, wish: Wish): { lines: string[]; reasons: string[] } | null {
  if (!project.files.has('package.json')) {
    if (!wish.buildCommand) return null
    const lines = [
      `FROM ${NODE_BUILD_IMAGE} AS build`,
      'WORKDIR /app',
      'COPY . .',
      `RUN ${oneLine(wish.buildCommand)}`,
      collect,
    ]
    return { lines, reasons: [`Build: ${wish.buildCommand} (comando de build do serviço)`] }
  }
  const manifest = readPackage(project)
  if (!manifest.scripts['build'] && !wish.buildCommand) return null
  const steps = buildSteps(project, manifest, managerOf(project, manifest), wish, false)
  return { lines: [...steps.lines, collect], reasons: steps.reasons }
}

const collect = `RUN ${oneLine(
  `for folder in ${OUTPUT_FOLDERS.join(' ')}; do if [ -f "$folder/index.html" ]; then mv "$folder" /site; exit 0; fi; done; echo "o build terminou sem um index.html em ${OUTPUT_FOLDERS.join(', ')}" >&2; exit 1`,
)}`
