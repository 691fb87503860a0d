import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { alertEnvelope, optionalAlertProperties, requiredAlertProperties } from './alert.js';

export const createAlertRequest = Type.Object(
  { ...requiredAlertProperties, ...optionalAlertProperties },
  {
    $id: 'CreateAlertRequest',
    description: 'The alert to create, with a webhook or an e-mail as its receiver.',
    additionalProperties: false,
  },
);
export type CreateAlertRequest = Static<typeof createAlertRequest>;

export const createAlert = defineRoute({
  operation: 'createAlert',
  method: 'POST',
  path: '/v1/alerts',
  owner: 'control-plane',
  access: 'project',
  tag: 'Alerts',
  permissions: ['events:read'],
  limits: bodyLimitsOf('alert'),
  body: createAlertRequest,
  response: alertEnvelope,
  summary: 'Create an alert',
});
