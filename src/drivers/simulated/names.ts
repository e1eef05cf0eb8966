// The public DNS as files, and an authority that says yes at once.
import path from 'node:path'
import type { CertificateIssuer, NameLookup } from '../contracts.ts'
import { Folder } from './disk.ts'
import type { Faults } from './faults.ts'

type RecordType = 'TXT' | 'CNAME' | 'ADDRESS'

export interface SimulatedNames extends NameLookup {
  /** What somebody writes into their zone; an empty list takes it out. */
  setRecord(type: RecordType, name: string, values: string[]): void
}

const DAY_MS = 86_400_000

export function simulatedNames(dir: string, faults: Faults): SimulatedNames {
  const records = new Folder<string[]>(path.join(dir, 'dns'))
  const look = (type: RecordType) => (name: string) =>
    faults.perform('lookUp', [name], () => records.read(`${type} ${name}`) ?? [])
  return {
    txt: look('TXT'),
    cname: look('CNAME'),
    addresses: look('ADDRESS'),
    setRecord: (type, name, values) => records.replace(`${type} ${name}`, values),
  }
}

export function simulatedCertificates(faults: Faults): CertificateIssuer {
  return {
    issue: (host, _respond, signal) =>
      faults.perform(
        'issueCertificate',
        [host],
        () => ({
          pem: `simulated certificate of ${host}\n`,
          expiresAt: new Date(Date.now() + 90 * DAY_MS).toISOString(),
        }),
        signal,
      ),
  }
}
