// What an operator says about a git installation, checked: where repositories are, and how the platform gets in.

/** Where a provider's repositories are unless something else is said. */
const USUAL_URLS: Record<string, string> = { github: 'https://github.com', gitlab: 'https://gitlab.com' }
const FULL_NAME = /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)+$/
const BRANCH = /^(?!-)(?!.*(?:\.\.|\/\/|@\{|\.lock$|\/$))[A-Za-z0-9_./-]{1,200}$/

export const PROVIDERS = ['github', 'gitlab', 'generic'] as const
export type Provider = (typeof PROVIDERS)[number]

/** True for the name of a provider. */
export function isProvider(text: string): text is Provider {
  return (PROVIDERS as readonly string[]).includes(text)
}

/**
 * The address below which the repositories of an installation are: `https://host[/path]` or `ssh://user@host[/path]`,
 * without credentials and without a slash at the end. Throws a sentence when it is none.
 */
export function baseUrl(provider: Provider, text: string | null): string {
  const usual = text ?? USUAL_URLS[provider]
  if (usual === undefined) throw new Error('A generic installation needs --url, such as https://git.example.com.')
  const url = URL.canParse(usual) ? new URL(usual) : null
  const isHttps = url?.protocol === 'https:' && url.username === ''
  const isSsh = url?.protocol === 'ssh:' && url.username !== ''
  if (!url || !(isHttps || isSsh) || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error(`"${usual}" is not an address such as https://git.example.com or ssh://git@git.example.com.`)
  }
  return url.href.replace(/\/+$/, '')
}

/** `ana/loja:main,ana/api` → names and branches (`main` where none is said). Throws a sentence about what is wrong. */
export function repositories(text: string): { full_name: string; default_branch: string }[] {
  const found = text.split(',').map(item => {
    const [name = '', branch = 'main', ...rest] = item.trim().split(':')
    const plain = FULL_NAME.test(name) && !name.split('/').some(part => part === '.' || part === '..')
    if (!plain || rest.length > 0 || !BRANCH.test(branch)) {
      throw new Error(
        `"${item.trim()}" is not a repository. Write owner/name or owner/name:branch, separated by commas.`,
      )
    }
    return { full_name: name, default_branch: branch }
  })
  const names = found.map(one => one.full_name)
  if (new Set(names).size < names.length) throw new Error('A repository is named twice.')
  return found
}

/** Which way in a secret is: nothing, an HTTPS token, or an SSH private key. Throws a sentence when it does not fit. */
export function authOf(url: string, secret: string): 'none' | 'token' | 'ssh_key' {
  const isKey = /^-----BEGIN [A-Z ]*PRIVATE KEY-----\n/.test(secret)
  if (url.startsWith('ssh:')) {
    if (isKey) return 'ssh_key'
    throw new Error('An ssh installation needs a private key (the deploy key) on stdin.')
  }
  if (isKey) throw new Error('A private key is of no use over https. Use an ssh:// address, or a token.')
  if (/\s/.test(secret)) throw new Error('What stdin holds is not a token: it has blanks in it.')
  return secret === '' ? 'none' : 'token'
}
