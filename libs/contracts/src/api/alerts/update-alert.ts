import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { allOptional } from '../../schema/resource-fields.js';
import { alertEnvelope, alertPath, optionalAlertProperties, requiredAlertProperties } from './alert.js';

export const updateAlertRequest = Type.Object(
  { ...allOptional(requiredAlertProperties), ...optionalAlertProperties },
  {
    $id: 'UpdateAlertRequest',
    description:
      'Fields to replace; absent fields are unchanged. A webhook or an e-mail replaces the receiver.',
    additionalProperties: false,
  },
);
export type UpdateAlertRequest = Static<typeof updateAlertRequest>;

export const updateAlert = defineRoute({
  operation: 'updateAlert',
  method: 'PUT',
  path: '/v1/alerts/{alert_id}',
  owner: 'control-plane',
  access: 'project',
  tag: 'Alerts',
  permissions: ['events:read'],
  limits: bodyLimitsOf('alert'),
  params: alertPath,
  body: updateAlertRequest,
  response: alertEnvelope,
  summary: 'Change an alert; a change of its condition or receiver begins anew',
});
