import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';
import { projectDescription, projectLimits, projectName, projectProperties, projectType } from './project.js';
import { projectExportChange } from './export.js';
import { projectKeepReferenced, projectRetention } from './retention.js';

export const createProjectRequest = Type.Object(
  {
    name: projectName(),
    description: Type.Optional(projectDescription()),
    type: Type.Optional(projectType()),
    retention: Type.Optional(projectRetention()),
    keep_referenced: Type.Optional(projectKeepReferenced()),
    limits: Type.Optional(projectLimits()),
    export: Type.Optional(projectExportChange()),
  },
  { $id: 'CreateProjectRequest', description: 'The project to create.', additionalProperties: false },
);
export type CreateProjectRequest = Static<typeof createProjectRequest>;

export const createProject = defineRoute({
  operation: 'createProject',
  method: 'POST',
  path: '/v1/projects',
  aliases: ['/projects'],
  owner: 'control-plane',
  access: 'admin',
  console: true,
  tag: 'Projects',
  summary: 'Create a project and its first key',
  body: createProjectRequest,
  response: Type.Object({
    ...projectProperties,
    api_key: text('First key of the project, with all permissions. Returned only once.', 'hh_fgdp_...'),
  }),
});
