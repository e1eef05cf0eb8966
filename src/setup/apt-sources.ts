// Which Debian mirrors this host uses, in either of apt's two notations, as one-line entries.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Lines such as `deb http://mirror/debian bookworm main` for a suite, its updates and its security; empty on another system. */
export async function aptSources(suite: string, folder = '/etc/apt'): Promise<string[]> {
  const wanted = [suite, `${suite}-updates`, `${suite}-security`]
  const parts = path.join(folder, 'sources.list.d')
  const names = (await readdir(parts).catch(() => [])).sort().map(name => path.join(parts, name))
  const lines = new Set<string>()
  for (const file of [path.join(folder, 'sources.list'), ...names]) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const found = file.endsWith('.sources') ? parseDeb822(text) : file.endsWith('.list') ? parseOneLine(text) : []
    for (const entry of found) if (wanted.includes(entry.suite)) lines.add(`deb ${entry.uri} ${entry.suite} main`)
  }
  // Updates alone cannot make a system.
  return [...lines].some(line => line.endsWith(` ${suite} main`)) ? [...lines] : []
}

interface Entry {
  uri: string
  suite: string
}

function parseOneLine(text: string): Entry[] {
  const pattern = /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+.*\bmain\b/
  return text.split('\n').flatMap(line => {
    const [, uri, suite] = pattern.exec(line.trim()) ?? []
    return uri && suite ? [{ uri, suite }] : []
  })
}

function parseDeb822(text: string): Entry[] {
  const uncommented = text
    .split('\n')
    .filter(line => !line.startsWith('#'))
    .join('\n')
  return uncommented.split(/\n\s*\n/).flatMap(paragraph => {
    const words = (name: string): string[] =>
      (new RegExp(`^${name}:((?:.*)(?:\\n[ \\t].*)*)`, 'im').exec(paragraph)?.[1] ?? '').split(/\s+/).filter(Boolean)
    const usable =
      words('Types').includes('deb') && words('Components').includes('main') && words('Enabled')[0] !== 'no'
    if (!usable) return []
    return words('URIs').flatMap(uri => words('Suites').map(suite => ({ uri, suite })))
  })
}
