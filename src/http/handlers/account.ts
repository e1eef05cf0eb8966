// Who is calling, and how much of its plan the team uses.
import { usageOf } from '../../../db/queries/teams.ts'
import { DEPLOY_WINDOW_MS } from '../../domain/limits.ts'
import { planOf } from '../auth.ts'
import type { Answer, Read } from '../route.ts'
import { limitsView, meView } from '../views.ts'

/** GET /me */
export async function showMe({ token }: Read): Promise<Answer> {
  return { body: meView(token) }
}

/** GET /limits: counted for the whole team, even for a restricted token (3.8). */
export async function showLimits({ db, token, config }: Read): Promise<Answer> {
  const usage = await usageOf(db, token.team_id, DEPLOY_WINDOW_MS)
  return { body: limitsView(token.plan, planOf(token, config), usage) }
}
