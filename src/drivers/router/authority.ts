// The certificate authority of one installation. It signs what the platform itself serves over TLS: the public names
// under the apps domain and the database host. Everything can be made again from root.key.
import 'reflect-metadata' // @peculiar/x509 cannot be loaded without it
import { webcrypto, X509Certificate } from 'node:crypto'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { rootCertificates } from 'node:tls'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
  X509Certificate as GeneratedCertificate,
} from '@peculiar/x509'
import { createFile, readIfPresent, replaceFile, writeChanged } from './atomic-file.ts'

type CryptoKey = webcrypto.CryptoKey

cryptoProvider.set(webcrypto as never) // the library names its types after the DOM

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const DAY_MS = 86_400_000
const ROOT_DAYS = 3650
/** Clocks of clients may be behind ours. */
const BACKDATE_MS = 3_600_000
/** A certificate is issued again when less than this part of its life is left. */
const RENEW_AT = 1 / 3

const SYSTEM_BUNDLES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem']

export interface Leaf {
  /** DNS names, `*.` allowed as first label. The first one is the common name. */
  names: string[]
  /** Folder that receives `<file>.crt`, `<file>.key` and `<file>.pem`. */
  dir: string
  file: string
  /** Life of the certificate. */
  days: number
}

export interface LeafFiles {
  /** Leaf and root, in this order. */
  certPath: string
  /** PKCS #8, mode 0600. */
  keyPath: string
  /** Key, leaf and root in one file, as HAProxy wants it; mode 0600. */
  pemPath: string
}

export interface Authority {
  /** Self-signed certificate of the root: what clients verify with. Also in `rootPath`. */
  rootPem: string
  rootPath: string
  /** The system's roots and ours in one file, for programs whose setting replaces the system's. */
  bundlePath: string
  /** Makes the files of a server certificate, or leaves them when they are still good. */
  issue(leaf: Leaf): Promise<LeafFiles>
}

/** Opens the authority in `dir` (DATA_DIR/ca), making what is missing: `root.key`, `root.crt`, `ca-bundle.pem`. */
export async function openAuthority(dir: string, instance = 'cais'): Promise<Authority> {
  await mkdir(dir, { recursive: true })
  const key = await openRootKey(path.join(dir, 'root.key'))
  const rootPath = path.join(dir, 'root.crt')
  const root = await openRootCertificate(rootPath, key, `CN=Cais local authority ${instance}`)
  return {
    rootPem: root.toString('pem'),
    rootPath,
    bundlePath: await caBundle(dir, root.toString('pem')),
    issue: leaf => issue(leaf, root, key.privateKey),
  }
}

/** Writes the system's roots and this one to `<dir>/ca-bundle.pem`, and answers its path. */
export async function caBundle(dir: string, rootPem: string): Promise<string> {
  const bundlePath = path.join(dir, 'ca-bundle.pem')
  await writeChanged(bundlePath, `${(await systemRoots()).trimEnd()}\n${rootPem.trimEnd()}\n`)
  return bundlePath
}

async function systemRoots(): Promise<string> {
  for (const file of SYSTEM_BUNDLES) {
    const text = await readIfPresent(file)
    if (text !== null) return text
  }
  return rootCertificates.join('\n') // no system bundle: Mozilla's list as it came with Node
}

async function openRootKey(file: string): Promise<webcrypto.CryptoKeyPair> {
  const present = await readIfPresent(file)
  if (present !== null) {
    await chmod(file, 0o600)
    return await importKey(present)
  }
  const made = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  return await importKey(await createFile(file, await exportKey(made.privateKey), 0o600))
}

async function openRootCertificate(
  file: string,
  keys: webcrypto.CryptoKeyPair,
  name: string,
): Promise<GeneratedCertificate> {
  const present = await readIfPresent(file)
  if (present !== null) {
    const certificate = new GeneratedCertificate(present)
    const ours = await certificate.verify({ publicKey: keys.publicKey as never, signatureOnly: true })
    if (ours && certificate.notAfter.getTime() > Date.now()) return certificate
  }
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name,
    keys: keys as never,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - BACKDATE_MS),
    notAfter: new Date(Date.now() + ROOT_DAYS * DAY_MS),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  await replaceFile(file, `${certificate.toString('pem')}\n`)
  return certificate
}

async function issue(leaf: Leaf, root: GeneratedCertificate, rootKey: CryptoKey): Promise<LeafFiles> {
  const [commonName] = leaf.names
  if (commonName === undefined) throw new TypeError('a certificate needs a name')
  const files = {
    certPath: path.join(leaf.dir, `${leaf.file}.crt`),
    keyPath: path.join(leaf.dir, `${leaf.file}.key`),
    pemPath: path.join(leaf.dir, `${leaf.file}.pem`),
  }
  if (await stillGood(files, leaf, root)) return files

  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${commonName}`,
    issuer: root.subject,
    publicKey: keys.publicKey as never,
    signingKey: rootKey as never,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - BACKDATE_MS),
    notAfter: new Date(Date.now() + leaf.days * DAY_MS),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([SERVER_AUTH]),
      new SubjectAlternativeNameExtension(leaf.names.map(value => ({ type: 'dns' as const, value }))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(root.publicKey),
    ],
  })
  const chain = `${certificate.toString('pem')}\n${root.toString('pem')}\n`
  const key = await exportKey(keys.privateKey)
  await replaceFile(files.keyPath, key, 0o600)
  await replaceFile(files.certPath, chain)
  await replaceFile(files.pemPath, key + chain, 0o600) // last: `stillGood` compares it with the other two
  return files
}

async function stillGood(files: LeafFiles, leaf: Leaf, root: GeneratedCertificate): Promise<boolean> {
  const [key, chain, pem] = await Promise.all(
    [files.keyPath, files.certPath, files.pemPath].map(file => readIfPresent(file)),
  )
  if (key == null || chain == null || pem !== key + chain) return false
  const certificate = new X509Certificate(chain)
  const left = Date.parse(certificate.validTo) - Date.now()
  const names = certificate.subjectAltName?.split(', ').map(name => name.replace(/^DNS:/, '')) ?? []
  return (
    left > leaf.days * DAY_MS * RENEW_AT &&
    names.length === leaf.names.length &&
    leaf.names.every(name => names.includes(name)) &&
    certificate.verify(new X509Certificate(root.toString('pem')).publicKey)
  )
}

async function exportKey(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
}

async function importKey(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  const privateKey = await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, true, ['sign'])
  const { kty, crv, x, y } = (await webcrypto.subtle.exportKey('jwk', privateKey)) as Record<string, string>
  const publicKey = await webcrypto.subtle.importKey('jwk', { kty, crv, x, y } as never, ALGORITHM, true, ['verify'])
  return { privateKey, publicKey }
}

/** Serial number of the first certificate in a PEM file, upper-case hexadecimal without leading zeros. */
export async function serialOf(file: string): Promise<string> {
  return new X509Certificate(await readFile(file)).serialNumber.toUpperCase().replace(/^0+/, '')
}
