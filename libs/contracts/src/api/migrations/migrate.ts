import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, listOf, success } from '../../schema/fields.js';

const versions = (description: string) => listOf(Type.Integer(), description, [3]);

export const migrateRequest = Type.Object(
  { dry_run: Type.Optional(flag('Whether to change nothing.', true)) },
  { $id: 'MigrateRequest', description: 'How to migrate.', additionalProperties: false },
);

export const migrate = defineRoute({
  operation: 'migrate',
  method: 'POST',
  path: '/v1/migrations',
  owner: 'data-plane',
  access: 'admin',
  tag: 'Operation',
  summary: 'Create and change the tables of the event store',
  limits: { maxBodyBytes: 1_024, maxConcurrent: 1 },
  body: migrateRequest,
  response: Type.Object({
    success: success(),
    missing: versions('Migrations that were missing before the request.'),
    applied: versions('Migrations that the request has applied.'),
  }),
});
