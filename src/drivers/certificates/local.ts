// Certificates for custom hosts from the installation's own authority: what is used where no ACME authority is configured.
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CertificateIssuer } from '../contracts.ts'
import type { Authority } from '../router/authority.ts'

const DAYS = 90

/** `dir` keeps what was issued; a host gets another one when less than a third of its life is left. */
export function createLocalIssuer(authority: Pick<Authority, 'issue'>, dir: string): CertificateIssuer {
  return {
    async issue(host) {
      const { pemPath } = await authority.issue({ names: [host], dir, file: host, days: DAYS })
      const pem = await readFile(pemPath, 'utf8')
      return { pem, expiresAt: expiryOf(pem) }
    },
  }
}

/** RFC 3339, of the first certificate in a PEM text. */
export function expiryOf(pem: string): string {
  return new Date(Date.parse(new X509Certificate(pem).validTo)).toISOString()
}
