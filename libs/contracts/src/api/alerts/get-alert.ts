import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { listOf, success, text } from '../../schema/fields.js';
import { alertEnvelope, alertPath, alertResponse } from './alert.js';

export const listAlerts = defineRoute({
  operation: 'listAlerts',
  method: 'GET',
  path: '/v1/alerts',
  owner: 'control-plane',
  access: 'project',
  tag: 'Alerts',
  response: Type.Object({ success: success(), data: listOf(alertResponse, 'The alerts, newest first.') }),
  summary: 'List alerts',
});

export const getAlert = defineRoute({
  operation: 'getAlert',
  method: 'GET',
  path: '/v1/alerts/{alert_id}',
  owner: 'control-plane',
  access: 'project',
  tag: 'Alerts',
  params: alertPath,
  response: alertEnvelope,
  summary: 'Read an alert',
});

export const deleteAlert = defineRoute({
  operation: 'deleteAlert',
  method: 'DELETE',
  path: '/v1/alerts/{alert_id}',
  owner: 'control-plane',
  access: 'project',
  tag: 'Alerts',
  params: alertPath,
  response: Type.Object({
    success: success(),
    message: text('Description of the change.', 'alert deleted'),
  }),
  summary: 'Delete an alert',
});
