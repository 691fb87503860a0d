import type { ControlPlaneParts } from '../src/compose.js';
import { makeCreateFineGrainedApiKey } from '../src/identity/keys/create-fine-grained-api-key.js';
import { makeCreateIngestionApiKey } from '../src/identity/keys/create-ingestion-api-key.js';
import { makeDeleteApiKey } from '../src/identity/keys/delete-api-key.js';
import { makeListApiKeys } from '../src/identity/keys/list-api-keys.js';
import { makeCreateProject } from '../src/identity/projects/create-project.js';
import { makeDeleteProject } from '../src/identity/projects/delete-project.js';
import { makeListProjects } from '../src/identity/projects/list-projects.js';

/** Operations on projects and keys, for tests that call them without HTTP. */
export function administrationOperations({ deps }: Pick<ControlPlaneParts, 'deps'>) {
  return {
    createProject: makeCreateProject(deps),
    listProjects: makeListProjects(deps),
    deleteProject: makeDeleteProject(deps),
    createIngestionApiKey: makeCreateIngestionApiKey(deps),
    createFineGrainedApiKey: makeCreateFineGrainedApiKey(deps),
    listApiKeys: makeListApiKeys(deps),
    deleteApiKey: makeDeleteApiKey(deps),
  };
}
