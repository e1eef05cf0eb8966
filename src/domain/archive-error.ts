/** Why an uploaded archive is refused (D-44). `motivo` is pt-BR and completes "não pôde ser aceito: …" (decisions 8.1). */
export class ArchiveError extends Error {
  readonly motivo: string
  constructor(motivo: string, cause?: unknown) {
    super(`The archive is refused: ${motivo}`, cause === undefined ? undefined : { cause })
    this.name = 'ArchiveError'
    this.motivo = motivo
  }
}

/** The refusal of bytes that are no archive, or not all of one. */
export function damaged(cause?: unknown): ArchiveError {
  return new ArchiveError('ele está corrompido ou incompleto', cause)
}
