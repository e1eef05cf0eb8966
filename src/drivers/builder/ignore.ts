// .dockerignore: the engine only reads it to hide itself, the client is who leaves files out. Last match wins, `!` brings back.

interface Rule {
  pattern: RegExp
  keeps: boolean
}

/** Tells for each path, relative to the context, whether it is left out. Patterns as Docker documents them. */
export function ignored(lines: readonly string[]): (path: string) => boolean {
  const rules = lines.flatMap(toRule)
  return path => {
    let out = false
    for (const rule of rules) if (rule.pattern.test(path)) out = !rule.keeps
    return out
  }
}

function toRule(line: string): Rule[] {
  const trimmed = line.trim()
  if (trimmed === '' || trimmed.startsWith('#')) return []
  const keeps = trimmed.startsWith('!')
  const parts = (keeps ? trimmed.slice(1).trim() : trimmed).split('/').filter(part => part !== '' && part !== '.')
  if (parts.length === 0 || parts.includes('..')) return []
  // A pattern that matches a folder takes everything in it.
  return [{ pattern: new RegExp(`^${parts.map(toSource).join('').replace(/\/$/, '')}(/.*)?$`, 's'), keeps }]
}

function toSource(part: string, index: number, all: string[]): string {
  const last = index === all.length - 1
  if (part === '**') return last ? '.*' : '(?:.*/)?'
  const source = part
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]')
  return last ? source : `${source}/`
}
