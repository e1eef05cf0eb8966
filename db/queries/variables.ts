// Variables: a row with a service belongs to it; without one it is a shared variable of the project. Values are sealed
// about the row's id; `refs` holds what could be parsed of their references, such as `db.DATABASE_URL` or `shared.X`.
import type { Db } from '../connect.ts'

export interface VariableRow {
  id: string
  project_id: string
  /** null = shared. */
  service_id: string | null
  name: string
  sealed: Buffer
  sensitive: boolean
  refs: string[]
  updated_at: Date
}

/** Whose variables: a service's own, or the shared ones of the project. */
export interface VariableOwner {
  projectId: string
  serviceId: string | null
}

const OWNED = `project_id = :projectId and service_id is not distinct from :serviceId`

/** Oldest first, those after `after` (an id; null = from the oldest); all of them without a limit. */
export async function listVariables(
  db: Db,
  owner: VariableOwner,
  after: string | null = null,
  limit: number | null = null,
): Promise<VariableRow[]> {
  const { rows } = await db.raw(
    `select * from variable where ${OWNED} and (cast(:after as text) is null or id > :after) order by id limit :limit`,
    { ...owner, after, limit },
  )
  return rows
}

/** Text that changes with every change of any of these variables. */
export async function versionOfVariables(db: Db, owner: VariableOwner): Promise<string> {
  const { rows } = await db.raw(
    `select coalesce(md5(string_agg(id || ' ' || extract(epoch from updated_at), ',' order by id)), '') as version from variable where ${OWNED}`,
    { ...owner },
  )
  return rows[0].version
}

/** Every variable of a project, shared ones included: what references are resolved with. */
export async function listVariablesOfProject(db: Db, projectId: string): Promise<VariableRow[]> {
  const { rows } = await db.raw('select * from variable where project_id = ? order by service_id nulls first, id', [
    projectId,
  ])
  return rows
}

/** What the variables of a project refer to, without their values. */
export async function listReferences(
  db: Db,
  projectId: string,
): Promise<Pick<VariableRow, 'service_id' | 'name' | 'refs'>[]> {
  const { rows } = await db.raw(`select service_id, name, refs from variable where project_id = ? and refs <> '{}'`, [
    projectId,
  ])
  return rows
}

export async function findVariables(db: Db, owner: VariableOwner, names: string[]): Promise<VariableRow[]> {
  const { rows } = await db.raw(`select * from variable where ${OWNED} and name = any(:names)`, { ...owner, names })
  return rows
}

export type NewVariable = Omit<VariableRow, 'updated_at'>

/** Writes them all in one statement. Ids of variables that exist stay, since their values are sealed about them. */
export async function saveVariables(db: Db, variables: NewVariable[]): Promise<void> {
  if (variables.length === 0) return
  const rows = variables.map(v => ({ ...v, sealed: v.sealed.toString('hex') }))
  await db.raw(
    `insert into variable (id, project_id, service_id, name, sealed, sensitive, refs)
     select v.id, v.project_id, v.service_id, v.name, decode(v.sealed, 'hex'), v.sensitive, v.refs
       from jsonb_to_recordset(cast(:rows as jsonb))
         as v (id text, project_id text, service_id text, name text, sealed text, sensitive boolean, refs text[])
     on conflict (id) do update
       set sealed = excluded.sealed, sensitive = excluded.sensitive, refs = excluded.refs, updated_at = now()`,
    { rows: JSON.stringify(rows) },
  )
}

/** False when there was none of that name. */
export async function deleteVariable(db: Db, owner: VariableOwner, name: string): Promise<boolean> {
  const { rowCount } = await db.raw(`delete from variable where ${OWNED} and name = :name`, { ...owner, name })
  return rowCount > 0
}

/** Counts a change for one service (D-59). */
export async function bumpService(db: Db, serviceId: string): Promise<void> {
  await db.raw('update service set revision = revision + 1 where id = ?', [serviceId])
}

/** Counts a change for every service that uses one of these shared variables, directly or through others (C-075). */
export async function bumpUsersOfShared(db: Db, projectId: string, names: string[]): Promise<void> {
  await bumpUsers(db, projectId, 'select unnest(cast(:names as text[]))', {
    names: names.map(name => `shared.${name}`),
  })
}

/** Counts a change for every service that refers to this app or database, directly or through shared variables. */
export async function bumpUsersOfComponent(db: Db, projectId: string, names: string[]): Promise<void> {
  await bumpUsers(
    db,
    projectId,
    `select r from variable v, unnest(v.refs) r
      where v.project_id = :projectId and split_part(r, '.', 1) = any(:names)`,
    { names },
  )
}

async function bumpUsers(db: Db, projectId: string, changed: string, bindings: { names: string[] }): Promise<void> {
  await db.raw(
    `with recursive touched (ref) as (
       ${changed}
       union
       select 'shared.' || v.name from variable v join touched on touched.ref = any(v.refs)
        where v.project_id = :projectId and v.service_id is null
     )
     update service s set revision = revision + 1
      where s.project_id = :projectId
        and exists (select 1 from variable v join touched on touched.ref = any(v.refs) where v.service_id = s.id)`,
    { projectId, ...bindings },
  )
}
