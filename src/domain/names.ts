// Every pattern of the specification, under its name.
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

/** Services and databases (spec 2.3): the prefix of references and the private host name. */
export const SERVICE_NAME = /^[a-z][a-z0-9-]{0,30}$/
/** Spec 2.5. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,255}$/
/** Spec 5.3. */
export const IDEMPOTENCY_KEY = /^[A-Za-z0-9._:-]{8,128}$/

export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/
const SLUG_LENGTH = 40
const RESERVED_SLUGS = new Set(
  (
    'www api admin app apps docs status mail smtp imap pop ftp ns ns1 ns2 dns mx cdn static assets auth login oauth sso ' +
    'account accounts billing support help blog dashboard console internal registry git webmail autodiscover wpad ' +
    'localhost cais platform system root metrics health healthz readyz'
  ).split(' '),
)
/** Control characters, and halves of surrogate pairs, which no UTF-8 column can hold. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
const LARGEST_USER = 2147483647
export const HEALTH_PATH = /^\/(?!\/)[!"$-~]{0,255}$/

/** Slug of a service (D-31). Whether it may be used is another question: `isReservedSlug`. */
export function isSlug(text: string): boolean {
  return SLUG.test(text) && !text.includes('--')
}

/** Slugs that nobody gets; to clients they are as taken as any other (D-31). */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.has(slug)
}

/** The name as it is kept (trimmed), or null when it is not a project name (decisions 3.1). */
export function projectName(text: string): string | null {
  const name = text.trim()
  const length = [...name].length
  if (length < 1 || length > 64 || UNPRINTABLE.test(name)) return null
  return projectSlug(name) === '' ? null : name
}

/** Slug that a project gets from its name, and its `web` with it (decisions 3.1); '' when the name yields none. */
export function projectSlug(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_LENGTH)
    .replace(/-$/, '')
}

export const BUILD_USER = /^[1-9][0-9]{0,9}(:[1-9][0-9]{0,9})?$/

/** `build.user`: numeric `uid[:gid]`, never root, never a name (D-34). */
export function isBuildUser(text: string): boolean {
  return BUILD_USER.test(text) && text.split(':').every(part => Number(part) <= LARGEST_USER)
}

const HOST =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]{1,5})?$/
const REPOSITORY_PART = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/
const IMAGE_TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/
export const IMAGE_REF_LENGTH = 512
const IMAGE_DIGEST = /^sha256:[0-9a-f]{64}$/

/** An image reference as the Docker Engine understands it: `[host[:port]/]repository[:tag][@sha256:digest]` (C-127). */
export function isImageRef(text: string): boolean {
  if (text.length > IMAGE_REF_LENGTH) return false
  const [named = '', digest, ...rest] = text.split('@')
  if (rest.length > 0 || (digest !== undefined && !IMAGE_DIGEST.test(digest))) return false
  const parts = named.split('/')
  const [last = '', tag, ...more] = (parts.pop() ?? '').split(':')
  if (more.length > 0 || (tag !== undefined && !IMAGE_TAG.test(tag))) return false
  const first = parts[0]
  const hasHost = first !== undefined && (/[.:A-Z]/.test(first) || first === 'localhost')
  if (hasHost && !HOST.test(first)) return false
  const repository = [...(hasHost ? parts.slice(1) : parts), last]
  // Sixty-four hex digits alone would be read as an image id of the machine, not as a name.
  if (parts.length === 0 && /^[0-9a-f]{64}$/.test(last)) return false
  return repository.join('/').length <= 255 && repository.every(part => REPOSITORY_PART.test(part))
}

/** D-32: starts with one `/`, up to 256 printable ASCII characters, no space and no `#`. */
export function isHealthPath(text: string): boolean {
  return HEALTH_PATH.test(text)
}

const MOUNT_FORBIDDEN = ['/app/.next', '/app/.next/cache']

/** Where a volume may be mounted: a sub-folder of /app, spelled in one way only (spec 2.6, D-43). */
export function isMountPath(text: string): boolean {
  const [root, app, ...folders] = text.split('/')
  if (root !== '' || app !== 'app' || folders.length === 0 || text.length > 256 || UNPRINTABLE.test(text)) return false
  return folders.every(name => name !== '' && name !== '.' && name !== '..') && !MOUNT_FORBIDDEN.includes(text)
}

/** Text that can be stored and shown as it is: no NUL, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}

/** One line of text: no control characters at all. */
export function isPrintableText(text: string): boolean {
  return !UNPRINTABLE.test(text)
}

/** A custom host name in lowercase ASCII, or null when it is none that a client may bring (decisions 3.13). */
export function customHostname(text: string, appsDomain: string): string | null {
  // Looked at before, because the conversion would take an address or a URL apart and keep the host.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return null
  const host = domainToASCII(text).toLowerCase()
  const labels = host.split('.')
  if (host === '' || host.length > 253 || labels.length < 2 || ipaddr.isValid(host)) return null
  if (!labels.every(label => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return null
  if (/^[0-9]+$/.test(labels.at(-1) ?? '')) return null
  return host === appsDomain || host.endsWith(`.${appsDomain}`) ? null : host
}
