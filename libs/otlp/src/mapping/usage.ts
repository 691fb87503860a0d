import { isJsonObject, type EventType, type JsonObject } from '@assay/domain';
import { isNothing } from '../json/is-nothing.js';
import { bucketOf } from './bucket.js';
import type { SpanBuilder } from './span-builder.js';
import { reconcileUsage } from './reconcile-usage.js';
import { slotOf } from './slots.js';

const DETAILS = ['usage_details', 'cost_details'] as const;
const INPUT = slotOf('usage.input');
const OUTPUT = slotOf('usage.output');
const TOTAL = slotOf('usage.total');
const CACHE_READ = slotOf('usage.cache_read');
const CACHE_WRITE = slotOf('usage.cache_write');
const REASONING = slotOf('usage.reasoning');
const TOOL_USE = slotOf('usage.tool_use');
const EXCLUSIVE = slotOf('fact.exclusive_usage');
const COST = slotOf('fact.cost');
const COST_PROMPT = slotOf('cost_details.prompt');
const COST_COMPLETION = slotOf('cost_details.completion');

/**
 * Token counts and cost in the stored form: `prompt_tokens` includes cached tokens, `completion_tokens`
 * includes reasoning tokens. On events other than model events they are sums over descendants and are stored
 * as `aggregate_usage`, so that they are not counted twice.
 */
export function usageOf(builder: SpanBuilder, type: EventType): JsonObject {
  const facts = countsOf(builder);
  const cost = costOf(builder);
  if (cost !== undefined) facts['cost'] = cost;
  for (const details of DETAILS) {
    const found = bucketOf(builder, details);
    if (!isNothing(found)) facts[details] = found;
  }
  addSentCounts(builder, facts);
  if (type === 'model' || Object.keys(facts).length === 0) return facts;
  return { aggregate_usage: facts };
}

function countsOf(builder: SpanBuilder): JsonObject {
  const reported = {
    input: builder.number(INPUT),
    output: builder.number(OUTPUT),
    total: builder.number(TOTAL),
    cached: (builder.number(CACHE_READ) ?? 0) + (builder.number(CACHE_WRITE) ?? 0),
    reasoning: builder.number(REASONING) ?? 0,
    toolUse: builder.number(TOOL_USE) ?? 0,
  };
  const { prompt, completion, total, isReconciled } = reconcileUsage(reported, excludesCache(builder));
  if (total !== reported.total) builder.contestSlot(TOTAL);
  const counts: JsonObject = {};
  set(counts, 'prompt_tokens', prompt);
  set(counts, 'completion_tokens', completion);
  set(counts, 'total_tokens', total);
  set(counts, 'cache_read_input_tokens', builder.number(CACHE_READ));
  set(counts, 'cache_creation_input_tokens', builder.number(CACHE_WRITE));
  set(counts, 'reasoning_tokens', builder.number(REASONING));
  if (!isReconciled) counts['usage_unreconciled'] = true;
  return counts;
}

/** Whether the emitter is known to report an input count without cached tokens. */
function excludesCache(builder: SpanBuilder): boolean {
  return builder.has(EXCLUSIVE) && builder.isFromSameSource(EXCLUSIVE, INPUT);
}

/** Keeps the counts that were sent beside the sums that include them. */
function addSentCounts(builder: SpanBuilder, facts: JsonObject): void {
  const sent: JsonObject = {};
  const input = builder.number(INPUT);
  const output = builder.number(OUTPUT);
  if (input !== undefined && facts['prompt_tokens'] !== input) sent['no_cache_input'] = input;
  if (output !== undefined && facts['completion_tokens'] !== output) sent['no_reasoning_output'] = output;
  set(sent, 'tool_use_prompt_tokens', builder.number(TOOL_USE));
  if (Object.keys(sent).length === 0) return;
  const details = facts['usage_details'];
  facts['usage_details'] = { ...sent, ...(isJsonObject(details) && details) };
}

function set(counts: JsonObject, key: string, count: number | undefined): void {
  if (count !== undefined) counts[key] = count;
}

function costOf(builder: SpanBuilder): number | undefined {
  const total = builder.number(COST);
  if (total !== undefined) return total;
  const prompt = builder.number(COST_PROMPT);
  const completion = builder.number(COST_COMPLETION);
  return prompt === undefined && completion === undefined ? undefined : (prompt ?? 0) + (completion ?? 0);
}
