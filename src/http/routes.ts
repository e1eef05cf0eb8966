// The one table of the API: method, path below /v1, scope, handler, how the body is read, and what is answered. The order of a request is
// in dispatch.ts; the names of path parameters are in resources.ts.
import { z } from 'zod'
import { BODY } from '../domain/limits.ts'
import { showLimits, showMe } from './handlers/account.ts'
import { listBackupsOfProject, restoreBackup, showBackup, showRestore } from './handlers/backups.ts'
import {
  createDatabase,
  deleteDatabase,
  listDatabasesOfProject,
  patchDatabase,
  revealCredentials,
  rotateDatabase,
  rotationDone,
  showDatabase,
} from './handlers/databases.ts'
import {
  createDeployment,
  listDeploymentsOfService,
  receiveFile,
  rollBack,
  showDeployment,
} from './handlers/deployments.ts'
import { awaitCheck, createDomain, listOwnDomains, removeDomain, showDomain, verifyDomain } from './handlers/domains.ts'
import { cancelGroup, createGroup, showGroup } from './handlers/groups.ts'
import { listOwnInstallations } from './handlers/installations.ts'
import { showBuildLog, showRuntimeLog } from './handlers/logs.ts'
import { createProject, listOwnProjects, patchProject, removeProject, showProject } from './handlers/projects.ts'
import { createService, listOwnServices, patchService, removeService, showService } from './handlers/services.ts'
import { listTemplates } from './handlers/templates.ts'
import {
  deleteServiceVariable,
  deleteSharedVariable,
  listServiceVariables,
  listSharedVariables,
  putServiceVariable,
  putServiceVariables,
  putSharedVariables,
} from './handlers/variables.ts'
import { listVolumesOfProject, putVolume, removeVolume, showVolume } from './handlers/volumes.ts'
import { read, write, type Route } from './route.ts'
import { limits, me } from './schemas/account.ts'
import { pageOf } from './schemas/answers.ts'
import { backup, newRestore, restore } from './schemas/backups.ts'
import {
  createdDatabase,
  credentials,
  database,
  databaseDeletion,
  databasePatch,
  newDatabase,
  rotatedDatabase,
} from './schemas/databases.ts'
import { deployment, logText } from './schemas/deployments.ts'
import { domain, newDomain } from './schemas/domains.ts'
import { group, newGroup } from './schemas/groups.ts'
import { installation } from './schemas/installations.ts'
import { project, projectBody, projectPatch } from './schemas/projects.ts'
import { service, serviceBody, servicePatch } from './schemas/services.ts'
import { template } from './schemas/templates.ts'
import { saved, variable, variableBody, variablesBody } from './schemas/variables.ts'
import { volume, volumeBody } from './schemas/volumes.ts'

const LOG = { answers: { 200: logText }, noStore: 'always' } as const
const RESOLVED = { resolved: z.enum(['true', 'false']).meta({ description: '`true` needs the scope env:reveal too.' }) }
const SINCE = {
  since: z.iso
    .datetime({ offset: true })
    .meta({ description: 'RFC 3339; default: 10 minutes ago.', examples: ['2030-01-31T12:00:00Z'] }),
}
const VARIABLES = { answers: { 200: pageOf(variable) }, query: RESOLVED, noStore: 'sometimes' } as const
const SAVED = { answers: { 200: saved }, errors: ['invalid_request.variable_name', 'sensitive_lowered'] } as const
const BULK = {
  ...SAVED,
  body: variablesBody,
  maxBodyBytes: BODY.maxBulkVariablesBytes,
  errors: [...SAVED.errors, 'invalid_request.duplicate'],
} as const
const FINAL_BACKUP = {
  final_backup: z.enum(['true', 'false']).meta({ description: 'Default: true. The body may say it too.' }),
}
const NOTHING = { answers: { 204: null } }
const VARIABLE_DELETED = { ...NOTHING, audited: 'variable.delete' } as const
const UNRESOLVED = [
  'unresolved_reference',
  'unresolved_reference.provisioning',
  'reference_cycle',
  'reference_too_deep',
  'value_too_large',
  'invalid_reference',
] as const
const TRIGGERED = ['deploy_in_progress', 'rate_limited.deploys'] as const
const SERVICE_FIELDS = [
  'invalid_request.name',
  'invalid_request.misplaced',
  'invalid_request.private_slug',
  'invalid_request.public_slug',
  'invalid_request.auto_deploy',
  'invalid_request.installation',
  'name_taken',
  'slug_taken',
  'quota_exceeded',
] as const

export const routes: readonly Route[] = [
  read('/me', null, showMe, { answers: { 200: me } }),
  read('/limits', 'projects:read', showLimits, { answers: { 200: limits } }),
  read('/templates', 'projects:read', listTemplates, { answers: { 200: pageOf(template) } }),
  read('/git-installations', 'projects:read', listOwnInstallations, { answers: { 200: pageOf(installation) } }),

  read('/projects', 'projects:read', listOwnProjects, { answers: { 200: pageOf(project) } }),
  write('POST', '/projects', 'projects:write', createProject, {
    body: projectBody,
    unrestricted: true,
    answers: { 201: project },
    errors: ['slug_taken', 'project_quota_exceeded', 'quota_exceeded'],
  }),
  read('/projects/:project', 'projects:read', showProject, { answers: { 200: project } }),
  write('PATCH', '/projects/:project', 'projects:write', patchProject, {
    body: projectPatch,
    answers: { 200: project },
  }),
  write('DELETE', '/projects/:project', 'projects:write', removeProject, {
    ...NOTHING,
    audited: 'project.delete',
    errors: ['project_not_empty'],
  }),

  read('/projects/:project/services', 'projects:read', listOwnServices, { answers: { 200: pageOf(service) } }),
  write('POST', '/projects/:project/services', 'projects:write', createService, {
    body: serviceBody,
    answers: { 201: service },
    errors: SERVICE_FIELDS,
  }),
  read('/projects/:project/services/:service', 'projects:read', showService, { answers: { 200: service } }),
  write('PATCH', '/projects/:project/services/:service', 'projects:write', patchService, {
    body: servicePatch,
    answers: { 200: service },
    errors: [...SERVICE_FIELDS, 'invalid_request.has_domains'],
  }),
  write('DELETE', '/projects/:project/services/:service', 'projects:write', removeService, {
    ...NOTHING,
    audited: 'service.delete',
    errors: ['volume_attached', 'deploy_in_progress'],
  }),

  read('/projects/:project/volumes', 'projects:read', listVolumesOfProject, { answers: { 200: pageOf(volume) } }),
  read('/projects/:project/services/:service/volume', 'projects:read', showVolume, { answers: { 200: volume } }),
  write('PUT', '/projects/:project/services/:service/volume', 'volumes:write', putVolume, {
    body: volumeBody,
    answers: { 200: volume, 201: volume },
    errors: ['invalid_request.mount_path', 'invalid_request.size_gb', 'quota_exceeded'],
  }),
  write('DELETE', '/projects/:project/services/:service/volume', 'volumes:write', removeVolume, {
    ...NOTHING,
    audited: 'volume.delete',
    errors: ['deploy_in_progress'],
  }),

  read('/projects/:project/shared-variables', 'env:read', listSharedVariables, VARIABLES),
  write('PUT', '/projects/:project/shared-variables', 'env:write', putSharedVariables, BULK),
  write('DELETE', '/projects/:project/shared-variables/:name', 'env:write', deleteSharedVariable, VARIABLE_DELETED),
  read('/projects/:project/services/:service/variables', 'env:read', listServiceVariables, VARIABLES),
  write('PUT', '/projects/:project/services/:service/variables', 'env:write', putServiceVariables, BULK),
  write('PUT', '/projects/:project/services/:service/variables/:name', 'env:write', putServiceVariable, {
    ...SAVED,
    body: variableBody,
  }),
  write(
    'DELETE',
    '/projects/:project/services/:service/variables/:name',
    'env:write',
    deleteServiceVariable,
    VARIABLE_DELETED,
  ),

  write('POST', '/projects/:project/databases', 'databases:write', createDatabase, {
    body: newDatabase,
    answers: { 201: createdDatabase },
    errors: ['invalid_request.name', 'name_taken', 'quota_exceeded', 'unavailable.databases'],
  }),
  read('/projects/:project/databases', 'projects:read', listDatabasesOfProject, { answers: { 200: pageOf(database) } }),
  read('/projects/:project/databases/:database', 'projects:read', showDatabase, { answers: { 200: database } }),
  write('PATCH', '/projects/:project/databases/:database', 'databases:write', patchDatabase, {
    body: databasePatch,
    answers: { 200: database },
    errors: ['quota_exceeded', 'quota_exceeded.database'],
  }),
  write('DELETE', '/projects/:project/databases/:database', 'databases:write', deleteDatabase, {
    ...NOTHING,
    audited: 'database.delete',
    body: databaseDeletion,
    bodyOptional: true,
    query: FINAL_BACKUP,
  }),
  write('POST', '/projects/:project/databases/:database/rotate', 'databases:write', rotateDatabase, {
    answers: { 200: rotatedDatabase },
    errors: ['database_not_ready', 'unavailable.databases'],
    audited: 'database.rotate',
    settled: rotationDone,
  }),
  write('POST', '/projects/:project/databases/:database/credentials', 'env:reveal', revealCredentials, {
    answers: { 200: credentials },
    errors: ['database_not_ready'],
    noStore: 'always',
    audited: 'database.reveal',
    remember: false,
  }),
  read('/projects/:project/backups', 'projects:read', listBackupsOfProject, { answers: { 200: pageOf(backup) } }),
  read('/projects/:project/backups/:backup', 'projects:read', showBackup, { answers: { 200: backup } }),
  write('POST', '/projects/:project/backups/:backup/restore', 'databases:write', restoreBackup, {
    body: newRestore,
    bodyOptional: true,
    answers: { 202: restore },
    errors: [
      'invalid_request.name',
      'database_not_ready.backup',
      'name_taken',
      'quota_exceeded',
      'quota_exceeded.database',
      'unavailable.databases',
    ],
  }),
  read('/projects/:project/restores/:restore', 'projects:read', showRestore, { answers: { 200: restore } }),

  write('POST', '/projects/:project/services/:service/domains', 'domains:write', createDomain, {
    body: newDomain,
    answers: { 201: domain },
    errors: ['invalid_request.private_domain', 'domain_taken'],
  }),
  read('/projects/:project/services/:service/domains', 'projects:read', listOwnDomains, {
    answers: { 200: pageOf(domain) },
  }),
  read('/projects/:project/services/:service/domains/:domain', 'projects:read', showDomain, {
    answers: { 200: domain },
  }),
  write('POST', '/projects/:project/services/:service/domains/:domain/verify', 'domains:write', verifyDomain, {
    answers: { 200: domain },
    errors: ['rate_limited.domain'],
    settled: awaitCheck,
  }),
  write('DELETE', '/projects/:project/services/:service/domains/:domain', 'domains:write', removeDomain, {
    ...NOTHING,
    audited: 'domain.delete',
  }),

  write('POST', '/projects/:project/services/:service/deployments', 'deploy', createDeployment, {
    triggers: true,
    receive: receiveFile,
    answers: { 202: deployment },
    errors: [
      'invalid_request.archive',
      'invalid_request.duplicate',
      'invalid_request.required',
      'invalid_request.file_source',
      ...TRIGGERED,
      ...UNRESOLVED,
      'unavailable.build_storage',
      'unavailable.build_disk',
    ],
  }),
  read('/projects/:project/services/:service/deployments', 'projects:read', listDeploymentsOfService, {
    answers: { 200: pageOf(deployment) },
  }),
  read('/projects/:project/services/:service/deployments/:deployment', 'projects:read', showDeployment, {
    answers: { 200: deployment },
  }),
  read('/projects/:project/services/:service/deployments/:deployment/logs', 'logs:read', showBuildLog, LOG),
  write('POST', '/projects/:project/services/:service/deployments/:deployment/rollback', 'deploy', rollBack, {
    triggers: true,
    answers: { 202: deployment },
    errors: [
      'nothing_to_rollback',
      ...TRIGGERED,
      'unresolved_reference',
      'unresolved_reference.provisioning',
      'value_too_large',
    ],
  }),
  read('/projects/:project/services/:service/logs', 'logs:read', showRuntimeLog, { ...LOG, query: SINCE }),

  write('POST', '/projects/:project/deploy', 'deploy', createGroup, {
    triggers: true,
    body: newGroup,
    bodyOptional: true,
    answers: { 202: group },
    errors: ['invalid_request.services', ...TRIGGERED, ...UNRESOLVED],
  }),
  read('/projects/:project/group-deployments/:group', 'projects:read', showGroup, { answers: { 200: group } }),
  write('POST', '/projects/:project/group-deployments/:group/cancel', 'deploy', cancelGroup, {
    answers: { 200: group },
  }),
]
