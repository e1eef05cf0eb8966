// What a line of the route table is: method, path, scope, handler, and how its body is read. The names of the path's
// parameters say which resources a handler gets; they are found, and found to be the caller's, before it runs.
import type { IncomingMessage } from 'node:http'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Db } from '../../db/connect.ts'
import type { AuditAction } from '../../db/queries/audit.ts'
import type { TokenRow } from '../../db/queries/teams.ts'
import type { Config } from '../config.ts'
import { BODY } from '../domain/limits.ts'
import type { Keyring } from '../domain/sealing.ts'
import type { Scope } from '../domain/tokens.ts'
import type { ErrorText } from './errors.ts'
import type { ResourceName, Resources } from './resources.ts'

/** What the whole application is made from. */
export interface Parts {
  db: Knex
  keyring: Keyring
  config: Config
  log: Logger
}

/** One request to a reading route. `Names` are the resources in the path. */
export type Read<Names extends ResourceName = never> = {
  db: Db
  keyring: Keyring
  config: Config
  log: Logger
  token: TokenRow
  /** Address of the client, for the audit log. */
  address: string
  /** Every parameter of the path, decoded. */
  params: Record<string, string>
  query: URLSearchParams
} & Pick<Resources, Names>

/** One request to a mutating route: `db` is the transaction in which its idempotency key is claimed. */
export type Write<Names extends ResourceName = never, Body = unknown> = Omit<Read<Names>, 'db'> & {
  db: Knex.Transaction
  body: Body
}

/** What a handler answers. Anything but 2xx is committed all the same, and is not kept for the idempotency key. */
export interface Answer {
  /** Default 200. */
  status?: number
  body?: unknown
  /** Path of the resource to read or poll (D-22), from `/v1` on. */
  location?: string
  /** Never cached, and without an ETag (D-07): where the route says `sometimes`. */
  noStore?: boolean
  /** What the entity tag is made from where one body shows only a part, such as a page of variables. Default: the body. */
  version?: string
}

/** A multipart body that has been stored; the fingerprint covers part names and content, not the raw bytes (D-17). */
export interface Received<Body> {
  body: Body
  fingerprint: string
  /** Runs after the request, whatever came of it: what the handler did not keep goes away. */
  discard?: () => Promise<void>
}

/** What the OpenAPI document says of a route beyond what every route of its kind has; the tests hold answers to it. */
export interface Described {
  /** Success status → what is answered, null for no body. */
  answers?: Readonly<Record<number, z.ZodType | null>>
  /** Lines of the error table that are this route's own. */
  errors?: readonly ErrorText[]
  /** Query parameters besides those of lists. */
  query?: Readonly<Record<string, z.ZodType>>
  /** Whether answers are never cached and have no ETag (D-07): `sometimes` is up to the handler. */
  noStore?: 'always' | 'sometimes' | 'never'
}

export interface Route extends Required<Described> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** null = any valid token. */
  scope: Scope | null
  /** True: a token that is restricted to projects may not use it (spec 5, rule 4). */
  unrestricted: boolean
  /** True: takes of the deploy quota, so that its answers say what is left of it (D-21). */
  triggers: boolean
  /** null for routes that read. */
  body: z.ZodType | null
  /** True: no body at all counts as `{}`. */
  bodyOptional: boolean
  maxBodyBytes: number
  receive: ((incoming: IncomingMessage, call: Read<ResourceName>) => Promise<Received<unknown>>) | null
  /** False: the idempotency key is checked, but the answer holds secrets and is not kept (D-19). */
  remember: boolean
  /** What the audit log says of a request that went through (D-73); null = nothing. */
  audited: AuditAction | null
  /** What the answer waits for once the transaction is committed, for replays too; null = nothing. An answer replaces the first one. */
  settled: ((call: Read<ResourceName>) => Promise<Answer | void>) | null
  handle: (call: Write<ResourceName>) => Promise<Answer>
}

/** A route that reads: GET, and HEAD with it. */
export function read<P extends string>(
  path: P,
  scope: Scope | null,
  handle: (call: Read<ResourcesIn<P>>) => Promise<Answer>,
  described: Described = {},
): Route {
  const none = {
    unrestricted: false,
    triggers: false,
    body: null,
    bodyOptional: true,
    maxBodyBytes: 0,
    receive: null,
  } as const
  const never = { remember: false, audited: null, settled: null } as const
  return { method: 'GET', path, scope, ...none, ...never, ...describe(described), handle: handle as Route['handle'] }
}

interface BodyOptions<S extends z.ZodType, File, Names extends ResourceName> extends Described {
  /** Default: nothing, or `{}`. */
  body?: S
  /** Default: true exactly when there is no `body` schema. */
  bodyOptional?: boolean
  maxBodyBytes?: number
  unrestricted?: boolean
  triggers?: boolean
  remember?: boolean
  audited?: AuditAction
  settled?: (call: Read<Names>) => Promise<Answer | void>
  /** Takes multipart/form-data instead of JSON. */
  receive?: (incoming: IncomingMessage, call: Read<ResourceName>) => Promise<Received<File>>
}

const NO_FIELDS = z.strictObject({})

/** A route that changes something: the handler runs in one transaction, after every check that needs no state. */
export function write<P extends string, S extends z.ZodType = typeof NO_FIELDS, File = never>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: P,
  scope: Scope | null,
  handle: (call: Write<ResourcesIn<P>, z.output<S> | File>) => Promise<Answer>,
  options: BodyOptions<S, File, ResourcesIn<P>> = {},
): Route {
  return {
    method,
    path,
    scope,
    unrestricted: options.unrestricted ?? false,
    triggers: options.triggers ?? false,
    body: options.body ?? NO_FIELDS,
    bodyOptional: options.bodyOptional ?? options.body === undefined,
    maxBodyBytes: options.maxBodyBytes ?? BODY.maxBytes,
    receive: options.receive ?? null,
    remember: options.remember ?? true,
    audited: options.audited ?? null,
    settled: (options.settled as Route['settled'] | undefined) ?? null,
    ...describe(options),
    handle: handle as Route['handle'],
  }
}

function describe({ answers = {}, errors = [], query = {}, noStore = 'never' }: Described): Required<Described> {
  return { answers, errors, query, noStore }
}

/** `/projects/:project/services/:service/…` → 'project' | 'service' */
type ResourcesIn<P extends string> = Extract<ParametersIn<P>, ResourceName>
type ParametersIn<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParametersIn<Tail>
    : Rest
  : never
