import t from 'tap'
import * as limits from '../../src/domain/limits.ts'

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
