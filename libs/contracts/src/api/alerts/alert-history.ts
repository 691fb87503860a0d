import { Type, type Static } from '@sinclair/typebox';
import { ALERT_STATES, type AlertState } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, integer, listOf, success, text, textOrNull } from '../../schema/fields.js';
import { numberOrNull } from '../../schema/resource-fields.js';
import { alertPath } from './alert.js';

const DELIVERY_STATES = ['none', 'muted', 'pending', 'delivered', 'failed', 'dropped'] as const;
/** What happened to a message about a change. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const alertChange = Type.Object(
  {
    at: text('Time of the change, ISO 8601.', '2026-11-01T00:00:30.000Z'),
    window_end: text('End of the window that led to it, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    from: choice<AlertState>(ALERT_STATES, 'State before.', 'ok'),
    to: choice<AlertState>(ALERT_STATES, 'State after it.', 'firing'),
    value: numberOrNull('Value of the window.', 812),
    sequence: Type.Unsafe<number | null>({
      ...Type.Integer({ description: 'Number of the message; null without one.', examples: [1] }),
      type: ['integer', 'null'],
    }),
    delivery: choice<DeliveryState>(DELIVERY_STATES, 'What happened to the message.', 'delivered'),
    attempts: integer('Attempts to deliver it.', 1),
    error: textOrNull('Why the last attempt failed.', null),
  },
  { description: 'A change of state.' },
);
export type AlertChange = Static<typeof alertChange>;

export const listAlertHistory = defineRoute({
  operation: 'listAlertHistory',
  method: 'GET',
  path: '/v1/alerts/{alert_id}/history',
  owner: 'control-plane',
  access: 'project',
  tag: 'Alerts',
  summary: 'List the last 100 changes of an alert',
  params: alertPath,
  response: Type.Object({ success: success(), data: listOf(alertChange, 'The changes, newest first.') }),
});
