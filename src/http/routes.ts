// The one table of the API: method, path below /v1, scope, handler, and how the body is read. The order of a request is
// in dispatch.ts; the names of path parameters are in resources.ts.
import { BODY } from '../domain/limits.ts'
import { showLimits, showMe } from './handlers/account.ts'
import { createDatabase, listDatabasesOfProject, showDatabase } from './handlers/databases.ts'
import {
  createDeployment,
  listDeploymentsOfService,
  receiveFile,
  rollBack,
  showDeployment,
} from './handlers/deployments.ts'
import { cancelGroup, createGroup, showGroup } from './handlers/groups.ts'
import { showBuildLog, showRuntimeLog } from './handlers/logs.ts'
import { createProject, listOwnProjects, patchProject, showProject } from './handlers/projects.ts'
import { createService, listOwnServices, patchService, showService } from './handlers/services.ts'
import {
  deleteServiceVariable,
  deleteSharedVariable,
  listServiceVariables,
  listSharedVariables,
  putServiceVariable,
  putServiceVariables,
  putSharedVariables,
} from './handlers/variables.ts'
import { read, write, type Route } from './route.ts'
import { newDatabase } from './schemas/databases.ts'
import { newGroup } from './schemas/groups.ts'
import { projectBody, projectPatch } from './schemas/projects.ts'
import { serviceBody, servicePatch } from './schemas/services.ts'
import { variableBody, variablesBody } from './schemas/variables.ts'

const BULK = { body: variablesBody, maxBodyBytes: BODY.maxBulkVariablesBytes }

export const routes: readonly Route[] = [
  read('/me', null, showMe),
  read('/limits', 'projects:read', showLimits),

  read('/projects', 'projects:read', listOwnProjects),
  write('POST', '/projects', 'projects:write', createProject, { body: projectBody, unrestricted: true }),
  read('/projects/:project', 'projects:read', showProject),
  write('PATCH', '/projects/:project', 'projects:write', patchProject, { body: projectPatch }),

  read('/projects/:project/services', 'projects:read', listOwnServices),
  write('POST', '/projects/:project/services', 'projects:write', createService, { body: serviceBody }),
  read('/projects/:project/services/:service', 'projects:read', showService),
  write('PATCH', '/projects/:project/services/:service', 'projects:write', patchService, { body: servicePatch }),

  read('/projects/:project/shared-variables', 'env:read', listSharedVariables),
  write('PUT', '/projects/:project/shared-variables', 'env:write', putSharedVariables, BULK),
  write('DELETE', '/projects/:project/shared-variables/:name', 'env:write', deleteSharedVariable),
  read('/projects/:project/services/:service/variables', 'env:read', listServiceVariables),
  write('PUT', '/projects/:project/services/:service/variables', 'env:write', putServiceVariables, BULK),
  write('PUT', '/projects/:project/services/:service/variables/:name', 'env:write', putServiceVariable, {
    body: variableBody,
  }),
  write('DELETE', '/projects/:project/services/:service/variables/:name', 'env:write', deleteServiceVariable),

  write('POST', '/projects/:project/databases', 'databases:write', createDatabase, { body: newDatabase }),
  read('/projects/:project/databases', 'projects:read', listDatabasesOfProject),
  read('/projects/:project/databases/:database', 'projects:read', showDatabase),

  write('POST', '/projects/:project/services/:service/deployments', 'deploy', createDeployment, {
    receive: receiveFile,
  }),
  read('/projects/:project/services/:service/deployments', 'projects:read', listDeploymentsOfService),
  read('/projects/:project/services/:service/deployments/:deployment', 'projects:read', showDeployment),
  read('/projects/:project/services/:service/deployments/:deployment/logs', 'logs:read', showBuildLog),
  write('POST', '/projects/:project/services/:service/deployments/:deployment/rollback', 'deploy', rollBack),
  read('/projects/:project/services/:service/logs', 'logs:read', showRuntimeLog),

  write('POST', '/projects/:project/deploy', 'deploy', createGroup, { body: newGroup, bodyOptional: true }),
  read('/projects/:project/group-deployments/:group', 'projects:read', showGroup),
  write('POST', '/projects/:project/group-deployments/:group/cancel', 'deploy', cancelGroup),
]
