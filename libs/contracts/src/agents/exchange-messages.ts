import { Type } from '@sinclair/typebox';
import type { JsonObject, JsonValue } from '@assay/domain';
import { defineRoute } from '../route.js';
import { objectOrList } from '../schema/fields.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

/**
 * The address of agents, which speak the Model Context Protocol. It is none of the routes of the API: its messages call those, and each
 * call needs the permissions of the routes that it makes.
 */
export const exchangeMessages = defineRoute({
  operation: 'exchangeMessages',
  method: 'POST',
  path: '/mcp',
  owner: 'data-plane',
  access: 'project',
  tag: 'Agents',
  summary: 'Exchange messages of the Model Context Protocol',
  limits: { maxBodyBytes: 1024 ** 2 },
  body: objectOrList('A JSON-RPC message, or a list of them.', PING),
  response: Type.Unsafe<JsonObject | JsonValue[] | undefined>(
    objectOrList('The JSON-RPC response, or a list of them; none to notifications.', {
      jsonrpc: '2.0',
      id: 1,
      result: {},
    }),
  ),
});
