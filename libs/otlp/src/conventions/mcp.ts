import type { JsonValue } from '@assay/domain';
import { asText } from './readers.js';
import type { Convention } from './rule.js';

/** Method of a model request through MCP; every other method is a tool call. */
const SAMPLING = 'sampling/createMessage';

function typeOfMethod(value: JsonValue): JsonValue | undefined {
  const method = asText(value);
  return method === undefined || method === SAMPLING ? undefined : 'tool';
}

function sampling(value: JsonValue): JsonValue | undefined {
  return value === SAMPLING ? true : undefined;
}

export const mcp: Convention = {
  name: 'mcp',
  title: 'Model Context Protocol',
  precedence: 8,
  always: true,
  detectors: ['mcp.method.name'],
  rules: [
    {
      key: 'mcp.method.name',
      to: 'fact.type',
      order: 51,
      read: typeOfMethod,
      also: [{ to: 'fact.weak_tool', read: sampling }],
      keep: true,
      about:
        'Every method is a tool, except sampling, which is a model if one is named; the transport session is not used',
    },
  ],
};
