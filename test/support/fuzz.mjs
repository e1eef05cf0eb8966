// `npm run fuzz -- --requests 200000 [--seed 1] [--route 'POST /v1/projects']`: the random requests of
// test/integration/fuzz.test.ts, as many as wanted over all routes together.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '200000' }, seed: { type: 'string' }, route: { type: 'string' } },
})
const env = { ...process.env, TAP_TIMEOUT: '86400', CAIS_FUZZ_REQUESTS: values.requests, CAIS_FUZZ_TIMES: '1' }
if (values.seed) env.CAIS_FUZZ_SEED = values.seed
if (values.route) env.CAIS_FUZZ_ROUTE = values.route
const args = ['--import', 'tsx', 'test/integration/fuzz.test.ts']
spawn(process.execPath, args, { env, stdio: 'inherit' }).on('close', code => process.exit(code ?? 1))
