import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { projectResponse, projectDescription, projectLimits, projectName, projectType } from './project.js';
import { projectExportChange } from './export.js';
import { projectKeepReferenced, projectRetention } from './retention.js';

export const updateProjectRequest = Type.Object(
  {
    name: projectName(),
    new_name: Type.Optional(projectName()),
    description: Type.Optional(projectDescription()),
    type: Type.Optional(projectType()),
    retention: Type.Optional(projectRetention()),
    keep_referenced: Type.Optional(projectKeepReferenced()),
    limits: Type.Optional(projectLimits()),
    export: Type.Optional(projectExportChange()),
  },
  {
    $id: 'UpdateProjectRequest',
    description: 'Name of the project and the fields to set.',
    additionalProperties: false,
  },
);
export type UpdateProjectRequest = Static<typeof updateProjectRequest>;

export const updateProject = defineRoute({
  operation: 'updateProject',
  method: 'PUT',
  path: '/v1/projects',
  aliases: ['/projects'],
  owner: 'control-plane',
  access: 'admin',
  console: true,
  tag: 'Projects',
  summary: 'Change a project',
  body: updateProjectRequest,
  response: projectResponse,
});
