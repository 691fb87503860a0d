import { isJsonObject, type EventType, type JsonObject } from '@assay/domain';
import { bucketOf } from './bucket.js';
import { isNothing, type SpanBuilder } from './span-builder.js';
import { slotOf } from './slots.js';

const DETAILS = ['usage_details', 'cost_details'] as const;
const INPUT = slotOf('usage.input');
const OUTPUT = slotOf('usage.output');
const TOTAL = slotOf('usage.total');
const CACHE_READ = slotOf('usage.cache_read');
const CACHE_WRITE = slotOf('usage.cache_write');
const REASONING = slotOf('usage.reasoning');
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
  addUncached(builder, facts);
  if (type === 'model' || Object.keys(facts).length === 0) return facts;
  return { aggregate_usage: facts };
}

function countsOf(builder: SpanBuilder): JsonObject {
  const input = builder.number(INPUT);
  const output = builder.number(OUTPUT);
  const cached = (builder.number(CACHE_READ) ?? 0) + (builder.number(CACHE_WRITE) ?? 0);
  const exclusive = cached > 0 && excludesCache(builder, input ?? 0, output ?? 0, cached);
  const prompt = exclusive ? (input ?? 0) + cached : input;
  const counts: JsonObject = {};
  set(counts, 'prompt_tokens', prompt);
  set(counts, 'completion_tokens', output);
  set(counts, 'total_tokens', totalOf(builder, prompt, output, exclusive));
  set(counts, 'cache_read_input_tokens', builder.number(CACHE_READ));
  set(counts, 'cache_creation_input_tokens', builder.number(CACHE_WRITE));
  set(counts, 'reasoning_tokens', builder.number(REASONING));
  return counts;
}

/** Keeps an input count that excludes cached tokens beside the one that includes them. */
function addUncached(builder: SpanBuilder, facts: JsonObject): void {
  const input = builder.number(INPUT);
  if (input === undefined || facts['prompt_tokens'] === input) return;
  const details = facts['usage_details'];
  facts['usage_details'] = { no_cache_input: input, ...(isJsonObject(details) && details) };
}

function set(counts: JsonObject, key: string, count: number | undefined): void {
  if (count !== undefined) counts[key] = count;
}

/**
 * Whether the reported input count excludes cached tokens: derived from the total, from impossible values, or
 * from the emitter.
 */
function excludesCache(builder: SpanBuilder, input: number, output: number, cached: number): boolean {
  const total = builder.number(TOTAL);
  if (total !== undefined && total === input + output) return false;
  if (total !== undefined && total === input + output + cached) return true;
  if (builder.has(EXCLUSIVE) && builder.sourceKey(EXCLUSIVE) === builder.sourceKey(INPUT)) return true;
  return total === undefined && cached > input;
}

function totalOf(
  builder: SpanBuilder,
  prompt: number | undefined,
  output: number | undefined,
  exclusive: boolean,
): number | undefined {
  const given = builder.number(TOTAL);
  if (given !== undefined && !exclusive) return given;
  builder.contestSlot(TOTAL);
  return prompt === undefined && output === undefined ? given : (prompt ?? 0) + (output ?? 0);
}

function costOf(builder: SpanBuilder): number | undefined {
  const total = builder.number(COST);
  if (total !== undefined) return total;
  const prompt = builder.number(COST_PROMPT);
  const completion = builder.number(COST_COMPLETION);
  return prompt === undefined && completion === undefined ? undefined : (prompt ?? 0) + (completion ?? 0);
}
