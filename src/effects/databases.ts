// A tenant's database on the database host.
import type { Performers } from '../actors/index.ts'
import { findDatabasePlan } from '../../db/queries/databases.ts'
import { projectSubnet } from '../domain/addresses.ts'
import { DriverError } from '../drivers/contracts.ts'
import type { Tools } from './tools.ts'

/** Faults are answered, not retried here: the machine waits and tries again for as long as it takes (D-61). */
export function provisionPerformer(tools: Tools): Performers['provisionDatabase'] {
  return async ({ databaseId }) => {
    const row = await findDatabasePlan(tools.db, databaseId)
    if (!row) throw new DriverError('gone', `database ${databaseId} was deleted`)
    const engine = tools.world.databases[row.engine]
    if (!engine) throw new DriverError('unavailable', `this installation has no ${row.engine}`)
    await engine.ready()
    const credentials = JSON.parse(tools.keyring.open(row.credentials, databaseId)) as {
      databaseName: string
      user: string
      password: string
    }
    return engine.provision({
      databaseId,
      ...credentials,
      subnet: projectSubnet(tools.config.projectPool, row.network_index),
      quotaMb: row.quota_mb,
    })
  }
}
