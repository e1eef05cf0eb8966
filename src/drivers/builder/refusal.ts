// Why a build failed, as DriverError with the codes of spec 7.3.
import { DriverError } from '../contracts.ts'

/** deploy_failed with its reason in pt-BR: lower case, no full stop, it ends a sentence of ours. */
export function failed(motivo: string, cause?: unknown): DriverError {
  return new DriverError('deploy_failed', `the build failed: ${motivo}`, { details: { motivo }, cause })
}

export function diskFull(cause?: unknown): DriverError {
  return new DriverError('build_disk_full', 'no space is left for builds', { cause })
}

export function outOfMemory(cause?: unknown): DriverError {
  return new DriverError('build_oom', 'a build step ran out of memory', { cause })
}

export function tooLong(timeoutMs: number): DriverError {
  const minutos = Math.round((timeoutMs / 60_000) * 10) / 10
  return new DriverError('build_timeout', `the build took longer than ${timeoutMs} ms`, { details: { minutos } })
}

/** The upload cannot be read: that is the platform's fault. */
export function unreadable(cause: unknown): DriverError {
  return new DriverError('build_storage_error', 'the uploaded archive cannot be read', { cause })
}

/** What a build leaves behind could not be written down, so it could never be removed. */
export function unrecorded(cause: unknown): DriverError {
  return new DriverError('build_storage_error', 'the layers of a build cannot be recorded', { cause })
}
