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
      about: 'Steps within a tool are not tools',
    },
    { key: 'model', to: 'config.model', order: LAST_RESORT, read: asText },
    {
      key: 'input_tokens',
      to: 'usage.input',
      read: asCount,
      also: [{ to: 'fact.exclusive_usage', read: isCounted }],
    },
    { key: 'output_tokens', to: 'usage.output', read: asCount },
    {
      key: 'cache_read_tokens',
      to: 'usage.cache_read',
      read: asCount,
    },
    {
      key: 'cache_creation_tokens',
      to: 'usage.cache_write',
      read: asCount,
    },
    {
      key: 'ttft_ms',
      to: 'metadata.time_to_first_token_ms',
      read: asNumber,
    },
    {
      key: 'stop_reason',
      to: 'metadata.finish_reasons',
      read: (value) => (asText(value) === undefined ? undefined : [value]),
    },
    { key: 'request_id', to: 'metadata.request_id', read: asText },
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
    },
    { key: 'tool_name', to: 'metadata.tool_name', read: asText },
    { key: 'tool_use_id', to: 'metadata.tool_call_id', read: asText },
    { key: 'file_path', to: 'inputs.file_path', read: asText },
    { key: 'full_command', to: 'inputs.full_command', read: asText },
    { key: 'user_prompt', to: 'fact.input', read: asText, about: 'User prompt, also when it is redacted' },
    { key: 'agent_id', to: 'metadata.agent_id', read: asKey },
  ],
};
