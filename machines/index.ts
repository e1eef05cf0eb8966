// kind → machine. The version of a machine is stored with every snapshot that it wrote.
import type { AnyStateMachine } from 'xstate'
import { backup } from './backup.ts'
import { database } from './database.ts'
import { deployment } from './deployment.ts'
import { domain } from './domain.ts'
import { group } from './group.ts'
import { restore } from './restore.ts'
import { service } from './service.ts'

export const machines = { deployment, group, service, database, backup, restore, domain } as const
export type Kind = keyof typeof machines

/** Version of the machine that would write the next snapshot. */
export const versionOf = (kind: Kind): number => Number((machines[kind] as AnyStateMachine).version ?? '1')

export * from './effects.ts'
export type { DeploymentContext, DeploymentEvent, DeploymentInput } from './deployment.ts'
export type { GroupContext, GroupEvent, GroupInput, GroupItem, ItemReason, ItemStatus } from './group.ts'
export type { ServiceContext, ServiceEvent, ServiceInput } from './service.ts'
export type { DatabaseContext, DatabaseEvent, DatabaseInput } from './database.ts'
export type { BackupContext, BackupEvent, BackupInput } from './backup.ts'
export type { DomainContext, DomainEvent, DomainInput } from './domain.ts'
export type { RestoreContext, RestoreEvent, RestoreInput } from './restore.ts'
