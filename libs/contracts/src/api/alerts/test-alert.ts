import { defineRoute } from '../../route.js';
import { alertEnvelope, alertPath } from './alert.js';

export const testAlert = defineRoute({
  operation: 'testAlert',
  method: 'POST',
  path: '/v1/alerts/{alert_id}/test',
  owner: 'control-plane',
  access: 'project',
  tag: 'Alerts',
  params: alertPath,
  response: alertEnvelope,
  summary: 'Send a message of the event test to the receiver of an alert; its history has the delivery',
});
