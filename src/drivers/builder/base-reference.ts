// FROM lines of a Dockerfile that somebody wrote: which images they name, and what stands in for them here.
import { NODE_BUILD_IMAGE } from './node-plan.ts'

export const DEBIAN_IMAGE = 'cais/debian:12'

export interface BaseReference {
  /** As the engine will look for it, arguments filled in. */
  image: string
  /** Number of its line. */
  line: number
}

const FROM = /^(\s*FROM\s+(?:--platform=\S+\s+)?)(\S+)(.*)$/i

/** Images that the Dockerfile starts from: no stages of its own, no `scratch`. */
export function baseReferences(dockerfile: string): BaseReference[] {
  const stages = new Set<string>()
  const args = new Map<string, string>()
  const found: BaseReference[] = []
  for (const [line, text] of dockerfile.split('\n').entries()) {
    const [, name, value] = /^\s*ARG\s+(\w+)=["']?([^\s"']*)/i.exec(text) ?? []
    // Only arguments before the first FROM count in one.
    if (name && found.length === 0 && stages.size === 0) args.set(name, value ?? '')
    const [, , raw, rest = ''] = FROM.exec(text) ?? []
    if (!raw) continue
    const image = filled(raw, args)
    if (image !== 'scratch' && !stages.has(image.toLowerCase())) found.push({ image, line })
    const stage = /\bAS\s+(\S+)/i.exec(rest)?.[1]
    if (stage) stages.add(stage.toLowerCase())
    stages.add(String(stages.size))
  }
  return found
}

/** The Dockerfile with other images on the given lines. */
export function withBases(dockerfile: string, replacements: ReadonlyMap<number, string>): string {
  const lines = dockerfile.split('\n')
  return lines
    .map((text, line) => {
      const image = replacements.get(line)
      return image
        ? text.replace(FROM, (_, before: string, _old: string, after: string) => before + image + after)
        : text
    })
    .join('\n')
}

/** The base image of this platform that stands in for a well-known one; null for any other, and for one pinned by digest. */
export function localStandIn(image: string): string | null {
  const name = image.replace(/^(docker\.io\/)?(library\/)?/, '')
  if (/^node:(20|lts|iron)[\w.-]*$/.test(name)) return NODE_BUILD_IMAGE
  return /^debian:(12|bookworm)[\w.-]*$/.test(name) ? DEBIAN_IMAGE : null
}

function filled(raw: string, args: ReadonlyMap<string, string>): string {
  return raw.replace(/\$\{?(\w+)(?::-([^}]*))?\}?/g, (_, name: string, fallback = '') => args.get(name) || fallback)
}
