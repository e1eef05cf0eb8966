// Everything a machine may ask of the world, in one typed catalogue. Params hold ids and plain facts, never secrets:
// the journal and the inspector show them for ever. `src/effects/handlers.ts` is the exhaustive table of who does what.
import { fromPromise, type PromiseActorLogic } from 'xstate'

/** Why a deployment ended `failed` (spec 7.3): the code, and the facts its pt-BR message is filled with. */
export interface Failure {
  code: string
  details?: { [name: string]: string | number | null }
}

/** What an activity rejects with, as the runtime answers it. */
export function failureOf(error: unknown): Failure {
  const { code, details } = (error ?? {}) as Partial<Failure>
  return { code: code ?? 'deploy_failed', details: details ?? {} }
}

/** Work whose answer the state waits for: `invoke` with this name. Leaving the state cancels it. */
export interface Activities {
  /** Source to artifact: an image id by digest. Image sources are pulled, rollbacks find the image of their target. */
  build: { input: { deploymentId: string; serviceId: string }; output: { image: string } }
  /** The volume of the service given to this deployment: requests wait, who served before has drained and stopped (D-53). */
  takeVolume: { input: { deploymentId: string; serviceId: string }; output: { from: string | null } }
  /** Container created and started; answers at the first 2xx or 3xx of the health path. */
  start: {
    input: { deploymentId: string; serviceId: string; image: string }
    output: { address: string; port: number }
  }
  /** Private name and public route moved in one step; tells which deployment served before. */
  switchTraffic: {
    input: { deploymentId: string; serviceId: string; address: string; port: number }
    output: { previous: string | null }
  }
  /** One look through the router: the new instance runs, is the target, and answers. */
  confirm: { input: { deploymentId: string; serviceId: string }; output: { observedAt: string } }
  /** Traffic back to the instance that served before, or to nobody. */
  revertTraffic: { input: { deploymentId: string; serviceId: string }; output: { restored: string | null } }
  /** The active instance of a service started again after it exited, and the route pointed at it. */
  restartInstance: { input: { serviceId: string; deploymentId: string }; output: { address: string } }
  /** Role and database (or namespace) created and reachable; credentials sealed in Postgres. */
  provisionDatabase: { input: { databaseId: string }; output: { sizeMb: number } }
  /** Measured, made read-only above its quota and writable below; `readOnly` is what it was. Crossings are told to the team. */
  enforceQuota: {
    input: { databaseId: string; readOnly: boolean }
    output: { sizeMb: number; readOnly: boolean; againMs: number }
  }
  /** Another secret works and the one before is refused, on open connections too; what depends on it wants a redeploy. */
  rotateCredential: { input: { databaseId: string }; output: { rotated: true } }
  /** A database whose restore failed is hidden, and its name and quota are free. */
  discardDatabase: { input: { databaseId: string }; output: { hidden: true } }
  /** Nobody gets in any more; the data stays. */
  suspendDatabase: { input: { databaseId: string }; output: { suspended: true } }
  /** Data, role and rule gone for good. */
  dropDatabase: { input: { databaseId: string }; output: { dropped: true } }
  /** A suspended database written to a file and verified. */
  backUpDatabase: { input: { backupId: string; databaseId: string }; output: { sizeBytes: number } }
  /** The file of an expired backup is gone. */
  removeBackup: { input: { backupId: string }; output: { removed: true } }
  /** A new database filled from a backup; a repeat starts from an empty one. */
  restoreDatabase: { input: { backupId: string; databaseId: string }; output: { sizeMb: number } }
  /** One look at the DNS of a custom domain: its TXT record and where it leads. `problem` = what is missing. */
  checkDomain: { input: { domainId: string }; output: { at: string; problem: string | null } }
  /** A certificate for a custom domain, sealed in Postgres. */
  issueCertificate: { input: { domainId: string }; output: { renewMs: number } }
  /** The router has the certificate of a custom domain, and leads its host to the service. */
  publishDomain: { input: { domainId: string; serviceId: string }; output: { published: true } }
  /** The router knows a deleted domain no more. */
  withdrawDomain: { input: { domainId: string; serviceId: string }; output: { withdrawn: true } }
  /** A domain that nobody verified is gone, and its host name free. */
  releaseDomain: { input: { domainId: string }; output: { released: true } }
}

/** Work nobody waits for: a named action with these params. Done at least once. */
export interface Effects {
  /** Drain, SIGTERM, SIGKILL, keep the log, remove the container (D-53). */
  retireInstance: { deploymentId: string; serviceId: string }
  /** Remove whatever an unsuccessful deployment left: container, build container, half-made image. */
  cleanUp: { deploymentId: string; serviceId: string }
  /** A service that has failed for good: no route, no container. */
  withdrawInstance: { deploymentId: string; serviceId: string }
  /** The data of a deleted volume destroyed; whatever still runs on it is stopped first (D-62). */
  removeVolume: { volumeId: string; serviceId: string }
  /** Whatever a deleted service left: route, instances, images, logs. */
  removeService: { serviceId: string; projectId: string }
  /** A notice to the team that owns the subject. */
  tellTeam: { subjectId: string; kind: 'backup.failed' }
}

export type ActivityName = keyof Activities
export type EffectName = keyof Effects
export type WorkName = ActivityName | EffectName
export type WorkParams<N extends WorkName> = N extends ActivityName
  ? Activities[N]['input']
  : N extends EffectName
    ? Effects[N]
    : never

/**
 * Work of one lane never overlaps and is done in the order in which it was asked for. What touches the route of a
 * service shares its lane; the building, starting and removing of one deployment share that deployment's.
 */
export const lanes: { [N in WorkName]: (params: WorkParams<N>) => string } = {
  build: p => `deployment:${p.deploymentId}`,
  takeVolume: p => `service:${p.serviceId}`,
  start: p => `deployment:${p.deploymentId}`,
  switchTraffic: p => `service:${p.serviceId}`,
  confirm: p => `service:${p.serviceId}`,
  revertTraffic: p => `service:${p.serviceId}`,
  restartInstance: p => `service:${p.serviceId}`,
  provisionDatabase: p => `database:${p.databaseId}`,
  enforceQuota: p => `database:${p.databaseId}`,
  rotateCredential: p => `database:${p.databaseId}`,
  discardDatabase: p => `database:${p.databaseId}`,
  suspendDatabase: p => `database:${p.databaseId}`,
  dropDatabase: p => `database:${p.databaseId}`,
  backUpDatabase: p => `database:${p.databaseId}`,
  restoreDatabase: p => `database:${p.databaseId}`,
  removeBackup: p => `backup:${p.backupId}`,
  checkDomain: p => `domain:${p.domainId}`,
  issueCertificate: p => `domain:${p.domainId}`,
  releaseDomain: p => `domain:${p.domainId}`,
  publishDomain: p => `service:${p.serviceId}`,
  withdrawDomain: p => `service:${p.serviceId}`,
  retireInstance: p => `deployment:${p.deploymentId}`,
  cleanUp: p => `deployment:${p.deploymentId}`,
  withdrawInstance: p => `service:${p.serviceId}`,
  removeVolume: p => `service:${p.serviceId}`,
  removeService: p => `service:${p.serviceId}`,
  tellTeam: p => `notice:${p.subjectId}`,
}

/** What actors say to each other: the `tell` action puts the event into the other's inbox in the same transaction. */
export type Message =
  | { type: 'START' | 'CANCEL' | 'SUPERSEDE' }
  | { type: 'BLOCK'; reason: string }
  | { type: 'RELEASED'; by: string }
  | { type: 'ITEM'; deploymentId: string; status: string }
  | { type: 'PROVISIONED' | 'DATABASE_DELETED' | 'BACKED_UP' | 'DISCARD' }
  | { type: 'FILLED'; sizeMb: number }
  | { type: 'DEPLOYMENT_CLOSED'; deploymentId: string; outcome: string; revision: number }

export interface Letter {
  to: string
  event: Message
}

export const activity = <N extends ActivityName>(
  _name: N,
): PromiseActorLogic<Activities[N]['output'], Activities[N]['input']> =>
  fromPromise(() => Promise.reject(new Error('activities run in src/effects, never in a machine')))

/** A named action that the runtime records as an effect. With params null there is nothing to do, and nothing is recorded. */
export const effect =
  <N extends EffectName>(_name: N) =>
  (_: unknown, _params: Effects[N] | null): void => {}

/** The `tell` action. Params may be null: a deployment outside a group has nobody to tell. */
export const tell = (_: unknown, _params: Letter | null): void => {}
