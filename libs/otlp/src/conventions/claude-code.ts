import type { JsonValue } from '@assay/domain';
import { asCount, asKey, asNumber, asText, byName, fromTable } from './readers.js';
import { LAST_RESORT, type Convention } from './rule.js';

const SPAN_TYPES = byName({
  model: ['llm_request'],
  tool: ['tool'],
  chain: ['interaction', 'tool.execution', 'tool.blocked_on_user', 'hook'],
});

function isFailure(value: JsonValue): JsonValue | undefined {
  return value === false || value === 'false' ? true : undefined;
}

/** The flat token counts exclude cached tokens, as the Anthropic API does. */
function isCounted(value: JsonValue): JsonValue | undefined {
  return asCount(value) === undefined ? undefined : true;
}

export const claudeCode: Convention = {
  name: 'claude-code',
  title: 'Claude Code',
  precedence: 13,
  always: false,
  detectors: ['span.type'],
  spanNames: ['claude_code.'],
  rules: [
    {
      key: 'span.type',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 65, read: fromTable(SPAN_TYPES) }],
      about: 'Event type; steps within a tool are not tools',
    },
    { key: 'model', to: 'config.model', order: LAST_RESORT, read: asText, about: 'Model' },
    {
      key: 'input_tokens',
      to: 'usage.input',
      read: asCount,
      also: [{ to: 'fact.exclusive_usage', read: isCounted }],
      about: 'Input tokens outside the cache',
    },
    { key: 'output_tokens', to: 'usage.output', read: asCount, about: 'Output tokens' },
    {
      key: 'cache_read_tokens',
      to: 'usage.cache_read',
      read: asCount,
      about: 'Input tokens read from a cache',
    },
    {
      key: 'cache_creation_tokens',
      to: 'usage.cache_write',
      read: asCount,
      about: 'Input tokens written to a cache',
    },
    {
      key: 'ttft_ms',
      to: 'metadata.time_to_first_token_ms',
      read: asNumber,
      about: 'Milliseconds to the first token',
    },
    {
      key: 'stop_reason',
      to: 'metadata.finish_reasons',
      read: (value) => (asText(value) === undefined ? undefined : [value]),
      about: 'Finish reason',
    },
    { key: 'request_id', to: 'metadata.request_id', read: asText, about: 'Id of the request' },
    {
      key: 'success',
      to: 'metadata.success',
      also: [{ to: 'fact.failed', read: isFailure }],
      about: 'False marks a failure if the status is unset',
    },
    {
      key: 'error',
      to: 'fact.error_message',
      order: 20,
      read: asText,
      keep: true,
      about: 'Error text of a failure',
    },
    { key: 'tool_name', to: 'metadata.tool_name', read: asText, about: 'Tool' },
    { key: 'tool_use_id', to: 'metadata.tool_call_id', read: asText, about: 'Tool call' },
    { key: 'file_path', to: 'inputs.file_path', read: asText, about: 'File that a tool works on' },
    { key: 'full_command', to: 'inputs.full_command', read: asText, about: 'Command that a tool runs' },
    { key: 'user_prompt', to: 'fact.input', read: asText, about: 'User prompt, also when it is redacted' },
    { key: 'agent_id', to: 'metadata.agent_id', read: asKey, about: 'Agent' },
  ],
};
