// The locks of those who change what others look at meanwhile. Everybody takes them in this order: team, project, services,
// actors (src/actors, `ask`), effects. So nobody holds one that the other waits for while waiting for the other's.
import type { Db } from '../connect.ts'

/** What counts against a plan goes one after the other within a team; rows that refer to the team are not held up. */
export async function lockTeam(db: Db, id: string): Promise<void> {
  await db.raw('select id from team where id = ? for no key update', [id])
}

/** Whoever changes a project as a whole goes one after the other; rows that refer to the project are not held up. */
export async function lockProject(db: Db, id: string): Promise<void> {
  await db.raw('select id from project where id = ? for no key update', [id])
}

/** Waits for everything that is being put into the project, and keeps the rest out. False when it is gone already. */
export async function lockProjectForRemoval(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.raw('select id from project where id = ? for update', [id])
  return rowCount > 0
}

/** Triggers of one service go one after the other, and see every change of it that was counted before. */
export async function lockServices(db: Db, ids: string[]): Promise<void> {
  await db.raw('select id from service where id = any(?) order by id for no key update', [ids])
}
