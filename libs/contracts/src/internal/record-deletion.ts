import { Type } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { text } from '../schema/fields.js';
import { actingKey } from './acting-key.js';
import { BODY_BYTES, projectId } from './fields.js';

/** A deletion that begins. What it deletes stays in the data plane. */
export const recordDeletion = defineRoute({
  operation: 'recordDeletion',
  method: 'POST',
  path: '/internal/v1/deletions/record',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Write that a deletion begins into the audit trail',
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: Type.Object({
    projectId: projectId(),
    deletionId: text('Id of the deletion.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e', { maxLength: 36 }),
    by: actingKey,
  }),
  response: Type.Object({ recorded: Type.Boolean({ description: 'Always true.', examples: [true] }) }),
});
