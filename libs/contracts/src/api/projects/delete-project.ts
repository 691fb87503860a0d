import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, text } from '../../schema/fields.js';

export const deleteProject = defineRoute({
  operation: 'deleteProject',
  method: 'DELETE',
  path: '/v1/projects',
  aliases: ['/projects'],
  owner: 'control-plane',
  access: 'admin',
  console: true,
  tag: 'Projects',
  summary: 'Delete a project, its keys and its documents in the control plane',
  query: Type.Object({ name: text('Name of the project.', 'support-bot', { minLength: 1 }) }),
  response: Type.Object({
    success: success(),
    deleted: text('Id of the project that was deleted.', '65c13dbbd65fb876b7886cdb'),
  }),
});
