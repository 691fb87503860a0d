import type { JsonValue } from '@assay/domain';
import { asInstructions } from './chat-readers.js';
import { asFirm, asMilliseconds, asNumber, asParsed, asText } from './readers.js';
import type { Convention } from './rule.js';

function asFailed(value: JsonValue): JsonValue | undefined {
  return value === 'error' ? true : undefined;
}

/** Strands reports whole milliseconds under the names of metrics whose unit is the second, which other libraries keep. */
function asServerTime(value: JsonValue): number | undefined {
  const time = asNumber(value);
  return time === undefined || Number.isInteger(time) ? time : asMilliseconds(value);
}

export const strands: Convention = {
  name: 'strands',
  title: 'Strands Agents and Bedrock AgentCore',
  precedence: 11,
  always: true,
  detectors: ['event_loop.cycle_id', 'gen_ai.agent.system_prompt'],
  rules: [
    {
      key: 'event_loop.cycle_id',
      to: 'metadata.event_loop_cycle_id',
      read: asText,
      also: [{ to: 'fact.weak_chain', read: asFirm }],
      about: 'A cycle of an agent is a step',
    },
    {
      key: 'gen_ai.server.time_to_first_token',
      to: 'metadata.time_to_first_token_ms',
      read: asServerTime,
      about: 'Whole milliseconds, or a fraction of seconds',
    },
    {
      key: 'gen_ai.server.request.duration',
      to: 'metadata.server_request_duration_ms',
      read: asServerTime,
      about: 'Whole milliseconds, or a fraction of seconds',
    },
    { key: 'gen_ai.agent.tools', to: 'config.tools', read: asParsed },
    {
      key: 'gen_ai.agent.system_prompt',
      to: 'fact.instructions',
      read: asInstructions,
    },
    { key: 'system_prompt', to: 'fact.instructions', read: asInstructions },
    {
      key: 'gen_ai.tool.status',
      to: 'metadata.tool_status',
      read: asText,
      also: [{ to: 'fact.failed', read: asFailed }],
      about: '`error` is a failure where the status is unset',
    },
  ],
};
