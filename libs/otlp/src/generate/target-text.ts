import type { Target } from '../conventions/rule.js';

/** Descriptions of facts for the document. */
const FACTS: Readonly<Record<string, string>> = {
  type: '`event_type`',
  weak_chain: '`event_type`',
  weak_tool: '`event_type`',
  tool_evidence: '`event_type`',
  shape: 'the shape of `inputs` and `outputs`',
  event_id: '`event_id`',
  event_name: '`event_name`',
  parent_id: '`parent_id`',
  project: '–',
  session: '`session_id`',
  session_name: 'name of the session',
  session_auto_create: 'whether a session is synthesised',
  source: '`source`',
  history: '`inputs.chat_history`',
  instructions: '`inputs.chat_history`, first message',
  output_messages: '`outputs`, as message',
  answer_text: '`outputs.content`',
  answer_calls: '`outputs.tool_calls`',
  answer_reasoning: '`outputs.reasoning`',
  agent_answer: '`outputs`, last response',
  agent_result: '`outputs`',
  tool_arguments: '`inputs`',
  tool_result: '`outputs`',
  memory_records: '`inputs.records` or `outputs.records`',
  input: '`inputs`',
  output: '`outputs`',
  user_input: '`inputs`',
  user_output: '`outputs`',
  trace_input: '`inputs` of a root',
  trace_output: '`outputs` of a root',
  error: '`error`',
  failed: '`error`',
  exceptions_fail: '`error`',
  error_message: '`error`',
  error_type: '`error`',
  exception_message: '`error`',
  exception_type: '`error`',
  cost: '`metadata.cost`',
  exclusive_usage: 'how `metadata.prompt_tokens` is counted',
  first_token_at: '`metadata.time_to_first_token_ms`',
};

const COUNTS: Readonly<Record<string, string>> = {
  input: 'prompt_tokens',
  output: 'completion_tokens',
  total: 'total_tokens',
  cache_read: 'cache_read_input_tokens',
  cache_write: 'cache_creation_input_tokens',
  reasoning: 'reasoning_tokens',
  tool_use: 'usage_details.tool_use_prompt_tokens',
};

/** Text of a target that fills the event as a whole. */
export const SEVERAL_FIELDS = 'several fields';

/**
 * Markdown description of a target.
 * @throws Error for a fact without a description, so that none is omitted
 */
export function targetText(target: Target): string {
  if (target === 'event') return SEVERAL_FIELDS;
  const dot = target.indexOf('.');
  const [bucket, key] = [target.slice(0, dot), target.slice(dot + 1)];
  if (bucket === 'fact') return textOf(FACTS, key);
  if (bucket === 'usage') return `\`metadata.${textOf(COUNTS, key)}\``;
  return bucket === 'usage_details' || bucket === 'cost_details' ? `\`metadata.${target}\`` : `\`${target}\``;
}

function textOf(table: Readonly<Record<string, string>>, key: string): string {
  const text = table[key];
  if (text === undefined) throw new Error(`no text for the fact ${key}`);
  return text;
}
