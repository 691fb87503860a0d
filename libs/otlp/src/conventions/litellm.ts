import type { JsonObject, JsonValue } from '@assay/domain';
import { parsePythonDict } from '../json/python-dict.js';
import { asNumber } from './readers.js';
import type { Convention } from './rule.js';
import { asUsageObject } from './usage-object.js';

/** The counts of the response; some versions write them as Python prints a dictionary. */
function asUsage(value: JsonValue): JsonObject | undefined {
  return asUsageObject((typeof value === 'string' ? parsePythonDict(value) : undefined) ?? value);
}

/** Keys as sent, without those whose value is the text `None`. */
function withoutNone(value: JsonValue): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const present = Object.entries(value).filter(([, item]) => item !== 'None' && item !== '');
  return Object.fromEntries(present.map(([key, item]) => [`metadata.${key}`, item]));
}

export const litellm: Convention = {
  name: 'litellm',
  title: 'LiteLLM',
  precedence: 14,
  always: false,
  detectors: ['hidden_params', 'metadata.*', 'gen_ai.cost.*'],
  spanNames: ['litellm_request', 'raw_gen_ai_request', 'Received Proxy Server Request'],
  rules: [
    {
      key: 'gen_ai.cost.total_cost',
      to: 'fact.cost',
      order: 40,
      read: asNumber,
    },
    {
      key: 'gen_ai.cost.input_cost',
      to: 'cost_details.prompt',
      read: asNumber,
    },
    {
      key: 'gen_ai.cost.output_cost',
      to: 'cost_details.completion',
      read: asNumber,
    },
    {
      key: 'metadata.usage_object',
      to: 'event',
      read: asUsage,
      about: 'Token counts as JSON text, or as Python prints them',
    },
    {
      key: 'metadata.*',
      to: 'metadata.*',
      group: 'flat',
      read: withoutNone,
      about: 'Metadata per key; `None` is ignored',
    },
  ],
};
