import { CONVENTIONS } from './catalogue.js';
import type { Target } from './rule.js';

/** Facts that become inputs, outputs or an error text. */
const VALUE_FACTS = [
  'input',
  'output',
  'history',
  'instructions',
  'output_messages',
  'answer_text',
  'answer_calls',
  'answer_reasoning',
  'agent_answer',
  'agent_result',
  'tool_arguments',
  'tool_result',
  'memory_records',
  'trace_input',
  'trace_output',
  'user_input',
  'user_output',
  'error',
  'error_message',
  'exception_message',
].map((fact) => `fact.${fact}`);

/**
 * Attributes that a convention reads as inputs, outputs or error text; `a.*` for a prefix. An attribute that
 * cannot be parsed, or that another outranks, is stored in the metadata under its own key, so redaction must
 * cover these keys.
 */
export function valueAttributes(): string[] {
  const rules = CONVENTIONS.flatMap((convention) => convention.rules);
  const carrying = rules.filter(({ to, also = [] }) =>
    [to, ...also.map((other) => other.to)].some(carriesValue),
  );
  return [...new Set(carrying.map(({ key }) => key))].sort();
}

function carriesValue(to: Target): boolean {
  return to === 'event' || to.startsWith('inputs.') || to.startsWith('outputs.') || VALUE_FACTS.includes(to);
}
