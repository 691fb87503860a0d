import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { limitedTextOrNull } from '../../schema/resource-fields.js';
import { alertEnvelope, alertPath } from './alert.js';

export const muteAlertRequest = Type.Object(
  {
    until: limitedTextOrNull(
      'Time until which nothing is sent, ISO 8601; null ends it.',
      '2026-11-02T08:00:00Z',
      {
        maxLength: 40,
      },
    ),
  },
  { $id: 'MuteAlertRequest', description: 'How long the alert is mute.', additionalProperties: false },
);
export type MuteAlertRequest = Static<typeof muteAlertRequest>;

export const muteAlert = defineRoute({
  operation: 'muteAlert',
  method: 'POST',
  path: '/v1/alerts/{alert_id}/mute',
  owner: 'control-plane',
  access: 'project',
  tag: 'Alerts',
  limits: bodyLimitsOf('alert'),
  params: alertPath,
  body: muteAlertRequest,
  response: alertEnvelope,
  summary: 'Mute an alert until a time',
});
