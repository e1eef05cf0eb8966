// The one table: code → status and pt-BR message (decisions 8.1). A code with several messages has a line per variant,
// written `code.variant`; the client sees only the code.
export const ERRORS = {
  'invalid_request.unknown_field': [
    400,
    'O campo "{campo}" não é reconhecido. Confira o nome e se ele está dentro do objeto certo.',
  ],
  'invalid_request.misplaced': [400, 'O campo "{campo}" deve ficar dentro de "{objeto}".'],
  'invalid_request.required': [400, 'O campo "{campo}" é obrigatório.'],
  'invalid_request.rule': [400, 'O campo "{campo}" deve ser {regra}.'],
  'invalid_request.parameter': [400, 'O parâmetro "{campo}" deve ser {regra}.'],
  'invalid_request.body': [400, 'O corpo da requisição não é um objeto JSON válido.'],
  'invalid_request.duplicate': [400, 'O nome "{campo}" aparece mais de uma vez.'],
  'invalid_request.name': [
    400,
    'O nome "{valor}" não é válido: use de 1 a 31 caracteres entre letras minúsculas, números e hífens, começando por letra.',
  ],
  'invalid_request.variable_name': [
    400,
    'O nome de variável "{valor}" não é válido: use até 256 letras, números ou sublinhados, sem começar por número.',
  ],
  'invalid_request.private_slug': [
    400,
    'Um serviço privado não pode ter "slug". Remova o campo ou torne o serviço público.',
  ],
  'invalid_request.public_slug': [400, 'Um serviço público precisa de um "slug".'],
  'invalid_request.auto_deploy': [400, 'A implantação automática precisa de uma fonte do tipo "git".'],
  'invalid_request.installation': [400, 'A integração git "{valor}" não existe nesta equipe.'],
  'invalid_request.services': [400, 'O serviço "{valor}" não existe neste projeto ou não pode ser implantado.'],
  'invalid_request.file_source': [
    400,
    'Este serviço não é implantado por envio de arquivo. Mude a fonte para "upload" antes de enviar.',
  ],
  'invalid_request.idempotency': [
    400,
    'O cabeçalho Idempotency-Key não é válido: use de 8 a 128 caracteres entre letras, números, ponto, sublinhado, dois-pontos e hífen.',
  ],
  'invalid_request.mount_path': [
    400,
    'Não é possível montar um volume em "{valor}". Escolha uma subpasta de /app, como /app/dados.',
  ],
  'invalid_request.size_gb': [
    400,
    'O tamanho do volume deve ser um número inteiro de 1 a 50 GB, e um volume não pode diminuir.',
  ],
  'invalid_request.private_domain': [
    400,
    'Um serviço privado não aceita domínio próprio. Torne o serviço público antes de adicionar o domínio.',
  ],
  'invalid_request.has_domains': [400, 'O serviço tem domínios próprios. Remova-os antes de torná-lo privado.'],
  'invalid_request.archive': [400, 'O arquivo enviado não pôde ser aceito: {motivo}.'],
  'invalid_request.cursor': [400, 'O cursor não é válido para esta lista. Recomece sem o parâmetro "cursor".'],
  'invalid_request.http': [400, 'A requisição HTTP está mal formada ou tem cabeçalhos grandes demais.'],
  unauthorized: [401, 'Não foi possível autenticar a requisição. Envie um token de API válido.'],
  'forbidden.scope': [403, 'Este token não tem a permissão "{escopo}", necessária para esta operação.'],
  'forbidden.restricted': [403, 'Este token é restrito a alguns projetos e não pode criar outros.'],
  not_found: [404, 'Recurso não encontrado.'],
  method_not_allowed: [405, 'Este endereço não aceita o método {metodo}.'],
  name_taken: [409, 'Já existe um serviço ou banco de dados chamado "{nome}" neste projeto.'],
  slug_taken: [409, 'O endereço "{slug}" já está em uso. Escolha outro.'],
  project_quota_exceeded: [409, 'A equipe atingiu o limite de {max} projetos do plano.'],
  project_not_empty: [409, 'O projeto ainda tem bancos de dados ou volumes. Remova-os antes de excluir o projeto.'],
  deploy_in_progress: [409, 'Já há uma implantação em andamento para este serviço. Aguarde o término e tente de novo.'],
  sensitive_lowered: [409, 'A variável "{nome}" é sensível e não pode deixar de ser.'],
  nothing_to_rollback: [409, 'Só é possível voltar para uma implantação que tenha ficado pronta.'],
  volume_attached: [409, 'O serviço ainda tem um volume. Remova o volume antes de excluir o serviço.'],
  domain_taken: [409, 'O domínio "{host}" já está cadastrado.'],
  database_not_ready: [409, 'O banco de dados ainda está sendo criado. Tente de novo em instantes.'],
  'database_not_ready.backup': [409, 'O backup do banco de dados ainda não está pronto. Tente de novo em instantes.'],
  idempotency_in_progress: [409, 'Uma requisição com esta mesma chave de idempotência ainda está sendo processada.'],
  precondition_failed: [412, 'O recurso mudou desde a última leitura. Leia de novo antes de alterar.'],
  payload_too_large: [413, 'O conteúdo enviado passa do limite de {limite}.'],
  unsupported_media_type: [
    415,
    'O tipo de conteúdo não é aceito aqui. Envie JSON com "Content-Type: application/json".',
  ],
  quota_exceeded: [422, 'O limite do plano foi atingido: {recurso} ({usado} de {max}).'],
  'quota_exceeded.database': [422, 'A cota pedida ({pedido} MB) é menor que o uso atual do banco ({usado} MB).'],
  unresolved_reference: [422, 'A referência "{ref}" aponta para algo que não existe neste projeto.'],
  'unresolved_reference.provisioning': [
    422,
    'O banco "{nome}" ainda está sendo criado. Aguarde ele ficar pronto e tente de novo.',
  ],
  reference_cycle: [422, 'As referências formam um ciclo: {caminho}.'],
  value_too_large: [
    422,
    'O valor de "{nome}" fica grande demais depois de expandido (máximo de 64 KiB por valor e 256 KiB no total).',
  ],
  reference_too_deep: [422, 'As referências de "{nome}" passam de 16 níveis.'],
  invalid_reference: [
    422,
    'A referência em "{nome}" está mal escrita. Use ${{nome.VARIAVEL}} ou, para o texto literal, $${{.',
  ],
  idempotency_conflict: [422, 'Esta chave de idempotência já foi usada com uma requisição diferente.'],
  'rate_limited.domain': [422, 'A verificação foi pedida há pouco. Tente de novo em {segundos} segundos.'],
  'rate_limited.requests': [429, 'Muitas requisições em pouco tempo. Aguarde {segundos} segundos.'],
  'rate_limited.deploys': [429, 'A equipe usou as {max} implantações por hora do plano. Aguarde {segundos} segundos.'],
  internal_error: [500, 'Ocorreu um erro inesperado. Se continuar, informe o código {request_id} ao suporte.'],
  'unavailable.databases': [
    503,
    'O servidor de bancos de dados está indisponível no momento. Tente de novo em instantes.',
  ],
  'unavailable.build_storage': [
    503,
    'O armazenamento de builds está indisponível no momento. Tente de novo em instantes.',
  ],
  'unavailable.build_disk': [503, 'O armazenamento de builds está sem espaço no momento. Tente de novo mais tarde.'],
  unavailable: [503, 'O serviço está temporariamente indisponível. Tente de novo em instantes.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorText = keyof typeof ERRORS
/** What clients see of it. */
export type ErrorCode = ErrorText extends infer Text ? (Text extends `${infer Code}.${string}` ? Code : Text) : never

/** What a violated constraint means to the client; the value that collided fills `{slug}`, `{nome}` or `{host}`. */
export const CONSTRAINTS: { readonly [constraint: string]: ErrorText } = {
  project_slug: 'slug_taken',
  service_slug: 'slug_taken',
  component_name_taken: 'name_taken',
  one_active_actor: 'deploy_in_progress',
  domain_hostname: 'domain_taken',
  volume_attached: 'volume_attached',
}

export interface FieldProblem {
  field: string
  problem: 'unknown' | 'misplaced' | 'read_only' | 'required' | 'invalid' | 'duplicate'
}

interface More {
  /** The optional third field of the body. */
  details?: Record<string, unknown>
  /** Whole seconds, at least 1 (D-20). */
  retryAfter?: number
}

/** A refusal: a line of the table, what fills its placeholders, and what else the client may read. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly text: string
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined

  constructor(text: ErrorText, params: Record<string, string | number> = {}, more: More = {}) {
    super(text)
    this.name = 'ApiError'
    const [status, template] = ERRORS[text]
    this.code = text.split('.')[0] ?? text
    this.status = status
    this.text = fill(template, params)
    this.details = more.details
    const seconds = more.retryAfter ?? (text === 'idempotency_in_progress' ? 1 : usualWait(status))
    this.retryAfter = seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds))
  }

  get body(): { error: string; message: string; details?: Record<string, unknown> } {
    const body = { error: this.code, message: this.text }
    return this.details ? { ...body, details: this.details } : body
  }
}

/** Whole seconds to wait where nobody knows better (D-25); undefined where waiting does not help. */
export function usualWait(status: number): number | undefined {
  return status === 503 ? 5 : undefined
}

/** 400 about one field, with the same field in `details.fields`. */
export function fieldError(
  text: ErrorText,
  field: string,
  problem: FieldProblem['problem'],
  params: Record<string, string | number> = {},
): ApiError {
  return new ApiError(text, { campo: field, ...params }, { details: { fields: [{ field: quote(field), problem }] } })
}

/**
 * The refusal behind whatever a handler threw, or null when it is a fault of ours. Constraint names become their
 * codes; a control database that cannot be reached becomes 503 (D-25).
 */
export function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  const { code, constraint, detail, name } = error as {
    code?: string
    constraint?: string
    detail?: string
    name?: string
  }
  const text = constraint === undefined ? undefined : CONSTRAINTS[constraint]
  if (text) {
    const value = collidedValue(detail)
    return new ApiError(text, { slug: value, nome: value, host: value })
  }
  // What a row was to belong to has been deleted meanwhile.
  if (code === FOREIGN_KEY) return new ApiError('not_found')
  if (name === 'KnexTimeoutError' || (code !== undefined && OUTAGES.test(code))) return new ApiError('unavailable')
  if (error instanceof Error && CONNECTION_LOST.test(error.message)) return new ApiError('unavailable')
  return null
}

const FOREIGN_KEY = '23503'

// Sockets that fail, and the SQLSTATE classes of a server that goes away, starts, is full, or could not untie a deadlock.
const OUTAGES = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|08\w{3}|57P0[1-5]|53\w{3}|40P01)$/
// pg gives these no code.
const CONNECTION_LOST =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect/i

// `Key (project_id, name)=(01j…, web) already exists.` → web
function collidedValue(detail = ''): string {
  const values = /=\((.*)\) already exists/.exec(detail)?.[1] ?? ''
  return values.split(', ').at(-1) ?? ''
}

/** Placeholders that are filled with sentences of ours; what they take from a request was quoted when they were made. */
const OUR_WORDS: ReadonlySet<string> = new Set(['regra', 'motivo', 'caminho', 'recurso', 'limite'])

function fill(template: string, params: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (!(name in params)) return whole
    const text = String(params[name])
    return OUR_WORDS.has(name) ? text : quote(text)
  })
}

/** Text taken from a request, made safe to repeat: no control characters, at most 80 characters. */
export function quote(text: string): string {
  return [...text.replace(/\p{C}/gu, '')].slice(0, 80).join('')
}
