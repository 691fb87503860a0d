import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';
import { projectResponse } from './project.js';

export const listProjects = defineRoute({
  operation: 'listProjects',
  method: 'GET',
  path: '/v1/projects',
  aliases: ['/projects'],
  owner: 'control-plane',
  access: 'admin-or-project',
  console: true,
  tag: 'Projects',
  summary: 'List projects: the project of the key, or all projects for the administrator',
  query: Type.Object({ name: Type.Optional(text('Only the project with this name.', 'support-bot')) }),
  response: Type.Array(projectResponse, { description: 'The projects.' }),
});
