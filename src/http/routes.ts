// The one table of the API: method, path below /v1, scope, handler, and how the body is read. The order of a request is
// in dispatch.ts; the names of path parameters are in resources.ts.
import { showLimits, showMe } from './handlers/account.ts'
import { createProject, listOwnProjects, patchProject, showProject } from './handlers/projects.ts'
import { read, write, type Route } from './route.ts'
import { projectBody, projectPatch } from './schemas/projects.ts'

export const routes: readonly Route[] = [
  read('/me', null, showMe),
  read('/limits', 'projects:read', showLimits),

  read('/projects', 'projects:read', listOwnProjects),
  write('POST', '/projects', 'projects:write', createProject, { body: projectBody, unrestricted: true }),
  read('/projects/:project', 'projects:read', showProject),
  write('PATCH', '/projects/:project', 'projects:write', patchProject, { body: projectPatch }),
]
