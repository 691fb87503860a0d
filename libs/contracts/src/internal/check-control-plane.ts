import { Type } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { success } from '../schema/fields.js';

export const checkControlPlane = defineRoute({
  operation: 'checkControlPlane',
  method: 'GET',
  path: '/internal/v1/check',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Check that the control plane and its store respond',
  response: Type.Object({ ok: success() }),
});
