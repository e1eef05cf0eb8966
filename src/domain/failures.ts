// Why a deployment ended `failed`: the codes of spec 7.3 and their text (decisions 8.2). Only the code and the facts are
// kept; the text is made when somebody reads it.

export type FailureDetails = { readonly [name: string]: string | number | null | undefined }

const MESSAGES = {
  activate_readonly_write: 'O aplicativo tentou gravar em /app, que é somente leitura. Grave em /tmp ou em um volume.',
  activate_no_http:
    'O processo está rodando, mas não respondeu HTTP 2xx ou 3xx em {caminho} na porta {porta}. Escute em 0.0.0.0:$PORT.',
  activate_app_crashed: 'O aplicativo encerrou logo ao iniciar (código de saída {codigo}). Veja o log de execução.',
  crashed_after_start: 'O aplicativo iniciou e encerrou em seguida (código de saída {codigo}). Veja o log de execução.',
  image_requires_root:
    'A imagem precisa do usuário root, o que não é permitido. Defina "build.user" ou use outra imagem.',
  unresolved_reference: 'Durante o build, a referência "{ref}" deixou de existir.',
  reference_cycle: 'Durante o build, foi encontrado um ciclo de referências: {caminho}.',
  build_oom: 'O build ficou sem memória. Reduza o consumo ou divida as etapas.',
  build_timeout: 'O build passou do tempo máximo de {minutos} minutos.',
  build_storage_error: 'Houve uma falha no armazenamento da plataforma durante o build. Tente implantar de novo.',
  build_disk_full: 'O armazenamento da plataforma ficou sem espaço durante o build. Tente de novo mais tarde.',
  build_storage_unavailable:
    'O armazenamento da plataforma ficou indisponível durante o build. Tente implantar de novo.',
  team_app_limit:
    'A equipe já está com o número máximo de aplicativos do plano em execução. Repetir não resolve: pare um aplicativo ou mude de plano.',
  deploy_failed: 'A implantação falhou: {motivo}.',
} as const satisfies Record<string, string>

export type FailureCode = keyof typeof MESSAGES

export const FAILURE_CODES = Object.keys(MESSAGES) as readonly FailureCode[]

/** What a placeholder says when its fact is not known. */
const UNKNOWN: Record<string, string> = {
  codigo: 'desconhecido',
  motivo: 'ocorreu um erro inesperado',
}
/** Characters of facts that are longer than a name: a path, or words of the platform, with every service of a group. */
const LONG_FACTS: Record<string, number> = { motivo: 1000, ultimo: 300, caminho: 300 }
const FACT_LENGTH = 80

/** True for a code of spec 7.3. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(MESSAGES, code)
}

/**
 * The pt-BR text of a failed deployment. A code that the specification does not know reads as `deploy_failed`. Details:
 * codigo, caminho, porta, ref, minutos, motivo; `ultimo` = what the health path answered last (D-52); `memoria` other
 * than 0 = the kernel ended the process for memory.
 */
export function failureMessage(code: string, details: FailureDetails = {}): string {
  const known = isFailureCode(code) ? code : 'deploy_failed'
  const text = MESSAGES[known].replace(/\{([a-z]+)\}/g, (_, name: string) => fact(details, name))
  return text + hint(known, details)
}

function hint(code: FailureCode, details: FailureDetails): string {
  const crashed = code === 'activate_app_crashed' || code === 'crashed_after_start'
  if (crashed && details.memoria) return ' O processo passou do limite de memória do serviço ("resources.memory_mb").'
  if (code === 'activate_no_http' && details.ultimo != null)
    return ` Última resposta vista: ${fact(details, 'ultimo')}.`
  return ''
}

/** One fact as it is quoted: control characters removed, cut (decisions, section 8). */
function fact(details: FailureDetails, name: string): string {
  const value = details[name]
  if (value === null || value === undefined || value === '') return UNKNOWN[name] ?? '?'
  const text = typeof value === 'number' ? String(value).replace('.', ',') : value
  return quoted(text, LONG_FACTS[name] ?? FACT_LENGTH)
}

/** A value quoted in a message: control characters removed, cut to `length` characters (decisions, section 8). */
export function quoted(value: string, length = 80): string {
  const printable = [...value.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim()]
  return printable.length <= length ? printable.join('') : `${printable.slice(0, length - 1).join('')}…`
}
