import { z } from 'zod'
import { DATABASE } from '../../domain/limits.ts'
import { SERVICE_NAME } from '../../domain/names.ts'
import { choice, integer, object, textOr } from './fields.ts'

/** POST databases (spec 2.4, decisions 3.3). */
export const newDatabase = object({
  name: textOr(name => SERVICE_NAME.test(name), 'invalid_request.name'),
  engine: choice(['postgres', 'mariadb', 'sqlite']),
  quota_mb: integer(DATABASE.minQuotaMb).default(DATABASE.defaultQuotaMb),
})
export type NewDatabase = z.output<typeof newDatabase>
