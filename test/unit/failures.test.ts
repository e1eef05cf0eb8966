import t from 'tap'
import { FAILURE_CODES, failureMessage, isFailureCode, quoted } from '../../src/domain/failures.ts'

t.test('the codes are those of spec 7.3', async t => {
  t.same([...FAILURE_CODES].sort(), [
    'activate_app_crashed',
    'activate_no_http',
    'activate_readonly_write',
    'build_disk_full',
    'build_oom',
    'build_storage_error',
    'build_storage_unavailable',
    'build_timeout',
    'crashed_after_start',
    'deploy_failed',
    'image_requires_root',
    'reference_cycle',
    'team_app_limit',
    'unresolved_reference',
  ])
  t.notOk(isFailureCode('constructor'))
})

t.test('messages are filled with the facts of the failure', async t => {
  const rows: [code: string, details: Record<string, string | number | null>, message: RegExp][] = [
    [
      'activate_no_http',
      { caminho: '/up', porta: 8080 },
      /2xx ou 3xx em \/up na porta 8080\. Escute em 0\.0\.0\.0:\$PORT\.$/,
    ],
    ['activate_no_http', { caminho: '/', porta: 1, ultimo: '404' }, /Última resposta vista: 404\.$/],
    ['activate_app_crashed', { codigo: 1 }, /\(código de saída 1\)/],
    ['crashed_after_start', { codigo: 137, memoria: 1 }, /código de saída 137.*limite de memória/],
    ['crashed_after_start', { codigo: null, memoria: 0 }, /código de saída desconhecido\)\. Veja o log de execução\.$/],
    ['build_timeout', { minutos: 15 }, /máximo de 15 minutos\.$/],
    ['build_timeout', { minutos: 1.7 }, /máximo de 1,7 minutos\.$/],
    ['unresolved_reference', { ref: 'db.DATABASE_URL' }, /a referência "db\.DATABASE_URL" deixou/],
    ['deploy_failed', { motivo: 'não há Dockerfile' }, /^A implantação falhou: não há Dockerfile\.$/],
    ['deploy_failed', {}, /^A implantação falhou: ocorreu um erro inesperado\.$/],
    ['never_heard_of', {}, /^A implantação falhou: /],
    ['__proto__', {}, /^A implantação falhou: /],
  ]
  for (const [code, details, message] of rows) t.match(failureMessage(code, details), message, code)
  for (const code of FAILURE_CODES) t.notMatch(failureMessage(code), /[{}]/, `${code} leaves no placeholder`)
})

t.test('a failed group of ten services with the longest names names each of them (decisions 3.7)', async t => {
  const names = Array.from({ length: 10 }, (_, i) => `s${i}${'x'.repeat(29)}`)
  const message = failureMessage('deploy_failed', { motivo: `não ficaram prontos: ${names.join(', ')}` })
  for (const name of names) t.ok(message.includes(name))
})

t.test('quoted values are cut and cannot draw on a terminal', async t => {
  t.equal(quoted('a\n\u001b[31mb'), 'a [31mb')
  t.equal(quoted('x'.repeat(200)).length, 80)
  t.equal(failureMessage('unresolved_reference', { ref: '$&{motivo}' }).includes('"$&{motivo}"'), true)
})
