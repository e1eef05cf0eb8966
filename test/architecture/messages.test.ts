// The messages of errors, word for word as decisions 8.1 has them.
import t from 'tap'
import { ERRORS } from '../../src/http/errors.ts'

/** Status, code (and which of its messages), message. */
const MESSAGES: [status: number, code: string, message: string][] = [
  [
    400,
    'invalid_request (unknown field)',
    'O campo "{campo}" não é reconhecido. Confira o nome e se ele está dentro do objeto certo.',
  ],
  [400, 'invalid_request (misplaced)', 'O campo "{campo}" deve ficar dentro de "{objeto}".'],
  [400, 'invalid_request (required)', 'O campo "{campo}" é obrigatório.'],
  [400, 'invalid_request (type, range)', 'O campo "{campo}" deve ser {regra}.'],
  [400, 'invalid_request (body)', 'O corpo da requisição não é um objeto JSON válido.'],
  [
    400,
    'invalid_request (name)',
    'O nome "{valor}" não é válido: use de 1 a 31 caracteres entre letras minúsculas, números e hífens, começando por letra.',
  ],
  [
    400,
    'invalid_request (variable name)',
    'O nome de variável "{valor}" não é válido: use até 256 letras, números ou sublinhados, sem começar por número.',
  ],
  [
    400,
    'invalid_request (slug, private)',
    'Um serviço privado não pode ter "slug". Remova o campo ou torne o serviço público.',
  ],
  [400, 'invalid_request (public)', 'Um serviço público precisa de um "slug".'],
  [
    400,
    'invalid_request (idempotency)',
    'O cabeçalho Idempotency-Key não é válido: use de 8 a 128 caracteres entre letras, números, ponto, sublinhado, dois-pontos e hífen.',
  ],
  [
    400,
    'invalid_request (mount_path)',
    'Não é possível montar um volume em "{valor}". Escolha uma subpasta de /app, como /app/dados.',
  ],
  [
    400,
    'invalid_request (size_gb)',
    'O tamanho do volume deve ser um número inteiro de 1 a 50 GB, e um volume não pode diminuir.',
  ],
  [
    400,
    'invalid_request (domain, private)',
    'Um serviço privado não aceita domínio próprio. Torne o serviço público antes de adicionar o domínio.',
  ],
  [400, 'invalid_request (archive)', 'O arquivo enviado não pôde ser aceito: {motivo}.'],
  [400, 'invalid_request (cursor)', 'O cursor não é válido para esta lista. Recomece sem o parâmetro "cursor".'],
  [401, 'unauthorized', 'Não foi possível autenticar a requisição. Envie um token de API válido.'],
  [403, 'forbidden (scope)', 'Este token não tem a permissão "{escopo}", necessária para esta operação.'],
  [403, 'forbidden (restricted)', 'Este token é restrito a alguns projetos e não pode criar outros.'],
  [404, 'not_found', 'Recurso não encontrado.'],
  [405, 'method_not_allowed', 'Este endereço não aceita o método {metodo}.'],
  [409, 'name_taken', 'Já existe um serviço ou banco de dados chamado "{nome}" neste projeto.'],
  [409, 'slug_taken', 'O endereço "{slug}" já está em uso. Escolha outro.'],
  [409, 'project_quota_exceeded', 'A equipe atingiu o limite de {max} projetos do plano.'],
  [409, 'project_not_empty', 'O projeto ainda tem bancos de dados ou volumes. Remova-os antes de excluir o projeto.'],
  [
    409,
    'deploy_in_progress',
    'Já há uma implantação em andamento para este serviço. Aguarde o término e tente de novo.',
  ],
  [409, 'sensitive_lowered', 'A variável "{nome}" é sensível e não pode deixar de ser.'],
  [409, 'nothing_to_rollback', 'Só é possível voltar para uma implantação que tenha ficado pronta.'],
  [409, 'volume_attached', 'O serviço ainda tem um volume. Remova o volume antes de excluir o serviço.'],
  [409, 'domain_taken', 'O domínio "{host}" já está cadastrado.'],
  [409, 'database_not_ready', 'O banco de dados ainda está sendo criado. Tente de novo em instantes.'],
  [409, 'idempotency_in_progress', 'Uma requisição com esta mesma chave de idempotência ainda está sendo processada.'],
  [412, 'precondition_failed', 'O recurso mudou desde a última leitura. Leia de novo antes de alterar.'],
  [413, 'payload_too_large', 'O conteúdo enviado passa do limite de {limite}.'],
  [
    415,
    'unsupported_media_type',
    'O tipo de conteúdo não é aceito aqui. Envie JSON com "Content-Type: application/json".',
  ],
  [422, 'quota_exceeded', 'O limite do plano foi atingido: {recurso} ({usado} de {max}).'],
  [422, 'quota_exceeded (database)', 'A cota pedida ({pedido} MB) é menor que o uso atual do banco ({usado} MB).'],
  [422, 'unresolved_reference', 'A referência "{ref}" aponta para algo que não existe neste projeto.'],
  [
    422,
    'unresolved_reference (provisioning)',
    'O banco "{nome}" ainda está sendo criado. Aguarde ele ficar pronto e tente de novo.',
  ],
  [422, 'reference_cycle', 'As referências formam um ciclo: {caminho}.'],
  [
    422,
    'value_too_large',
    'O valor de "{nome}" fica grande demais depois de expandido (máximo de 64 KiB por valor e 256 KiB no total).',
  ],
  [422, 'reference_too_deep', 'As referências de "{nome}" passam de 16 níveis.'],
  [
    422,
    'invalid_reference',
    'A referência em "{nome}" está mal escrita. Use ${{nome.VARIAVEL}} ou, para o texto literal, $${{.',
  ],
  [422, 'idempotency_conflict', 'Esta chave de idempotência já foi usada com uma requisição diferente.'],
  [422, 'rate_limited (domain)', 'A verificação foi pedida há pouco. Tente de novo em {segundos} segundos.'],
  [429, 'rate_limited (requests)', 'Muitas requisições em pouco tempo. Aguarde {segundos} segundos.'],
  [
    429,
    'rate_limited (deploys)',
    'A equipe usou as {max} implantações por hora do plano. Aguarde {segundos} segundos.',
  ],
  [500, 'internal_error', 'Ocorreu um erro inesperado. Se continuar, informe o código {request_id} ao suporte.'],
  [
    503,
    'unavailable (database host)',
    'O servidor de bancos de dados está indisponível no momento. Tente de novo em instantes.',
  ],
  [
    503,
    'unavailable (build storage)',
    'O armazenamento de builds está indisponível no momento. Tente de novo em instantes.',
  ],
  [503, 'unavailable (build disk)', 'O armazenamento de builds está sem espaço no momento. Tente de novo mais tarde.'],
  [503, 'unavailable (control plane)', 'O serviço está temporariamente indisponível. Tente de novo em instantes.'],
]

t.test('every message of decisions 8.1 is a line of the error table, with its status and code', async t => {
  const table = Object.entries(ERRORS).map(([name, [status, message]]) => `${status} ${name.split('.')[0]}: ${message}`)
  for (const [status, code, message] of MESSAGES) {
    t.ok(table.includes(`${status} ${code.split(' ')[0]}: ${message}`), `${status} ${code}`)
  }
})
