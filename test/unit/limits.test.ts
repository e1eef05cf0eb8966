import t from 'tap'
import { readConfig } from '../../src/config.ts'
import * as limits from '../../src/domain/limits.ts'
import { PLANS, REQUESTS } from '../../src/domain/limits.ts'

t.test('the hobby plan is that of section 8, and plans are not object keys', async t => {
  t.same(limits.PLANS.hobby, {
    projects: 5,
    services: 10,
    databases: 3,
    memoryMb: 4096,
    cpusPerService: 2,
    volumesGb: 20,
    deploysPerHour: 30,
    databaseQuotaMb: 10240,
  })
  t.ok(limits.isPlanName('business'))
  t.notOk(limits.isPlanName('toString'))
  t.equal(limits.ARCHIVE.maxBytes, 512 * 1024 * 1024)
  t.equal(limits.VARIABLES.maxExpandedBytes, 65_536)
  t.equal(limits.VARIABLES.maxEnvironmentBytes, 262_144)
})

void t.test('the operator changes figures with JSON or a file, and what the specification fixes stays', async t => {
  const text = JSON.stringify({
    plans: { hobby: { projects: 7 }, pro: { services: 51, cpusPerService: 7.5 } },
    requests: { perToken: 9, windowSeconds: 2 },
  })
  const { limits } = readConfig({ CAIS_LIMITS: text })
  t.same(limits.plans.hobby, { ...PLANS.hobby, projects: 7 })
  t.same(limits.plans.pro, { ...PLANS.pro, services: 51, cpusPerService: 7.5 })
  t.same(limits.plans.business, PLANS.business)
  t.same(limits.requests, { ...REQUESTS, perToken: 9, windowSeconds: 2 })
  const file = `${t.testdir({ 'limits.json': text })}/limits.json`
  t.same(readConfig({ CAIS_LIMITS: file }).limits, limits)
  t.same(
    readConfig({ CAIS_LIMITS: JSON.stringify(limits) }).limits,
    limits,
    'what `cais config` knows can be given again',
  )
  t.same(readConfig({}).limits, { plans: PLANS, requests: REQUESTS })
})

void t.test('figures that cannot be are named when the platform starts', async t => {
  for (const [given, said] of [
    ['{"plans":{"hobby":{"services":11}}}', /plans\.hobby\.services is fixed at 10/],
    ['{"plans":{"hobby":{"deploysPerHour":0,"projects":0}}}', /deploysPerHour is fixed at 30.*|.*hobby\.projects/],
    ['{"plans":{"gold":{}}}', /gold/],
    ['{"requests":{"perToken":"many"}}', /requests\.perToken/],
    ['{"requests":{"perDay":1}}', /perDay/],
    ['{', /CAIS_LIMITS: is not JSON/],
    ['/nowhere/limits.json', /CAIS_LIMITS: ENOENT/],
  ] as const) {
    t.throws(() => readConfig({ CAIS_LIMITS: given }), said, given)
  }
})
