// Which builder a project calls for, and what it will do: decided before anything runs, and told to the person first.
import type { BuildJob } from '../contracts.ts'
import { nodePlan, hasStart, readPackage } from './node-plan.ts'
import type { Project } from './project.ts'
import { failed } from './refusal.ts'
import { siteRoot, staticPlan } from './static-plan.ts'

export type Wish = Pick<BuildJob, 'builder' | 'buildCommand' | 'startCommand' | 'user'>

export interface BuildPlan {
  builder: 'dockerfile' | 'node' | 'static'
  /** Heads the build log, pt-BR: what was chosen and why. */
  reasons: string[]
  dockerfile: string
  /** Files of ours that go into the context. */
  extra: { path: string; text: string }[]
  /** Patterns left out of the context, in the notation of .dockerignore. */
  ignore: string[]
}

const OTHER_LANGUAGES: [name: string, language: string, builder: string][] = [
  ['go.mod', 'Go', 'go'],
  ['Cargo.toml', 'Rust', 'rust'],
  ['pyproject.toml', 'Python', 'python'],
  ['requirements.txt', 'Python', 'python'],
  ['Pipfile', 'Python', 'python'],
]
const SUPPORTED = 'Por enquanto há builders para Dockerfile, Node.js (package.json) e site estático (index.html)'

/** Decides. Throws deploy_failed with what was found where no builder fits. */
export function planBuild(project: Project, wish: Wish): BuildPlan {
  if (wish.builder === 'auto') return detect(project, wish)
  if (wish.builder === 'dockerfile') return dockerfilePlan(project, wish, 'build.builder é "dockerfile"')
  if (wish.builder === 'node') return nodePlan(project, wish, 'build.builder é "node"')
  if (wish.builder === 'static') return staticPlan(project, wish, 'build.builder é "static"')
  throw failed(
    `o builder "${wish.builder}" ainda não está disponível. ${SUPPORTED}; com um Dockerfile, qualquer linguagem`,
  )
}

function detect(project: Project, wish: Wish): BuildPlan {
  if (project.files.has('Dockerfile')) return dockerfilePlan(project, wish, 'há um Dockerfile na raiz do projeto')
  if (project.files.has('package.json')) return detectPackage(project, wish)
  if (siteRoot(project) !== null) return staticPlan(project, wish, 'há um index.html e nenhum package.json')
  const other = OTHER_LANGUAGES.find(([name]) => project.files.has(name))
  if (other)
    throw failed(
      `foi encontrado ${other[0]} (projeto ${other[1]}), mas o builder "${other[2]}" ainda não está disponível. ${SUPPORTED}; com um Dockerfile, qualquer linguagem`,
    )
  const seen = [...project.files].slice(0, 5).join(', ')
  throw failed(`não foi possível reconhecer o projeto (arquivos: ${seen}). ${SUPPORTED}`)
}

// Many sites are a package only because of the tools that make them.
function detectPackage(project: Project, wish: Wish): BuildPlan {
  const manifest = readPackage(project)
  if (hasStart(project, manifest, wish)) return nodePlan(project, wish, 'há um package.json na raiz do projeto')
  if (manifest.scripts['build'] || wish.buildCommand)
    return staticPlan(project, wish, 'há um package.json com script "build" e nada para iniciar')
  if (siteRoot(project) !== null) return staticPlan(project, wish, 'há um index.html, e o package.json não inicia nada')
  return nodePlan(project, wish, 'há um package.json na raiz do projeto')
}

function dockerfilePlan(project: Project, wish: Wish, why: string): BuildPlan {
  const dockerfile = project.text('Dockerfile')
  if (dockerfile === null) throw failed('não há um Dockerfile na raiz do projeto')
  const reasons = [`Builder: dockerfile (${why})`]
  if (wish.buildCommand) reasons.push('Aviso: o comando de build não se aplica a um Dockerfile e foi ignorado')
  const ignore = (project.text('.dockerignore') ?? '').split('\n')
  return { builder: 'dockerfile', reasons, dockerfile, extra: [], ignore }
}
