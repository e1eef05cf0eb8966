// Every error code has a test that provokes it, and every refusal in the code is a line of the error table.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import t from 'tap'
import { FAILURE_CODES } from '../../src/domain/failures.ts'
import { CONSTRAINTS, ERRORS } from '../../src/http/errors.ts'
import { routes } from '../../src/http/routes.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Spec 7.2 and decisions 8.1: code → the statuses that it comes with. */
const CODES: Record<string, number[]> = {
  invalid_request: [400],
  unauthorized: [401],
  forbidden: [403],
  not_found: [404],
  method_not_allowed: [405],
  name_taken: [409],
  slug_taken: [409],
  project_quota_exceeded: [409],
  project_not_empty: [409],
  deploy_in_progress: [409],
  sensitive_lowered: [409],
  nothing_to_rollback: [409],
  volume_attached: [409],
  domain_taken: [409],
  database_not_ready: [409],
  idempotency_in_progress: [409],
  precondition_failed: [412],
  payload_too_large: [413],
  unsupported_media_type: [415],
  quota_exceeded: [422],
  unresolved_reference: [422],
  reference_cycle: [422],
  value_too_large: [422],
  reference_too_deep: [422],
  invalid_reference: [422],
  idempotency_conflict: [422],
  rate_limited: [422, 429],
  internal_error: [500],
  unavailable: [503],
}

/** Spec 7.3. */
const FAILURES = (
  'activate_readonly_write activate_no_http activate_app_crashed crashed_after_start image_requires_root ' +
  'unresolved_reference reference_cycle build_oom build_timeout build_storage_error build_disk_full ' +
  'build_storage_unavailable team_app_limit deploy_failed'
).split(' ')

/** Codes whose routes do not exist yet. Whoever adds the route adds the test and takes the line out. */
const NOT_YET: Record<string, string> = {}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true })
  return Promise.all(
    entries.filter(name => name.endsWith('.ts')).map(name => readFile(path.join(root, folder, name), 'utf8')),
  )
}

t.test('the error table is that of the specification and the decisions', async t => {
  const table: Record<string, number[]> = {}
  for (const [name, [status]] of Object.entries(ERRORS)) {
    const code = name.split('.')[0] ?? name
    table[code] = [...new Set([...(table[code] ?? []), status])].sort()
  }
  t.strictSame(table, CODES)
  t.strictSame([...FAILURE_CODES].sort(), [...FAILURES].sort())
})

t.test('every code has a test of the API that provokes it', async t => {
  const tests = (await filesOf('test/integration')).join('\n')
  const provoked = (code: string) => new RegExp(`['"\`\\s]${code}['"\`\\s,;:)]`).test(tests)
  for (const code of [...Object.keys(CODES), ...FAILURES]) {
    if (code in NOT_YET) t.notOk(provoked(code), `${code} is provoked now: take it out of NOT_YET`)
    else t.ok(provoked(code), `${code} needs a test in test/integration that provokes it`)
  }
})

t.test('every refusal in the code is a line of the table, and every line is used', async t => {
  const sources = (await filesOf('src')).join('\n')
  const thrown = [...sources.matchAll(/new ApiError\(\s*'([^']+)'/g)].map(match => match[1] ?? '')
  for (const text of new Set([...thrown, ...Object.values(CONSTRAINTS)])) t.ok(text in ERRORS, text)
  for (const { path, errors } of routes) for (const text of errors) t.ok(text in ERRORS, `${path} ${text}`)
})
