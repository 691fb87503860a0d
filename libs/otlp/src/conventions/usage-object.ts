import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { parsed } from '../json/parse-json.js';
import { asCount } from './readers.js';

/** Counts of a call, by the name of the slot in `usage`. */
type Count = 'input' | 'output' | 'total' | 'cache_read' | 'cache_write' | 'reasoning' | 'tool_use';

/** Names of each count, in the form of {@link plainName}. */
export const USAGE_NAMES: Readonly<Record<Count, readonly string[]>> = {
  input: ['input', 'prompt', 'prompt_eval_count'],
  output: ['output', 'completion', 'candidates', 'response', 'generated', 'eval_count'],
  total: ['total'],
  cache_read: [
    ...[
      'input_cached',
      'prompt_cached',
      'cached_input',
      'cached_prompt',
      'cached_content',
      'cached',
      'num_cached',
    ],
    ...['cache_read_input', 'cache_read', 'input_cache_read', 'prompt_cache_read', 'prompt_cache_hit'],
  ],
  cache_write: [
    ...['cache_creation_input', 'cache_write_input', 'cache_creation', 'cache_write'],
    ...['input_cache_creation', 'input_cache_write', 'prompt_cache_creation', 'prompt_cache_write'],
  ],
  reasoning: ['reasoning', 'output_reasoning', 'completion_reasoning', 'thoughts', 'thinking'],
  tool_use: ['tool_use_prompt', 'tool_use_input', 'input_tool_use', 'prompt_tool_use'],
};
const COUNTS = new Map(
  (Object.keys(USAGE_NAMES) as Count[]).flatMap((count) =>
    USAGE_NAMES[count].map((name) => [name, count] as const),
  ),
);
/** Objects inside a usage object that detail one of its sums, in the form of {@link plainName}. */
const DETAILS: Readonly<Record<string, 'input' | 'output'>> = {
  prompt_details: 'input',
  input_details: 'input',
  completion_details: 'output',
  candidates_details: 'output',
  output_details: 'output',
};
/** Objects that hold the counts themselves, beside what was billed. */
const WRAPPERS = ['tokens', 'usage', 'token_usage', 'usage_metadata', 'usageMetadata', 'billed_units'];
/** Counts whose presence beside `input_tokens` tells that it excludes them, unless a total says otherwise. */
const ANTHROPIC = ['cache_read_input_tokens', 'cache_creation_input_tokens', 'cacheReadInputTokens'];
/** Counts of what was written to the cache, by how long it is kept. */
const CACHE_CREATION = 'cache_creation';

/**
 * Reads the token counts that a provider, a framework or a gateway reports as one object: OpenAI (chat and responses), Anthropic,
 * Gemini, Bedrock, Cohere, Ollama, LangChain, LiteLLM, and lists of buckets. What is not a count of a call is a detail under its own name.
 * @param value object or its JSON text; undefined is returned for anything else
 */
export function asUsageObject(value: JsonValue): JsonObject | undefined {
  const usage = parsed(value);
  if (!isJsonObject(usage)) return undefined;
  const reader = new UsageReader();
  reader.read(usage);
  return reader.targets();
}

/** `promptTokenCount`, `prompt_token_count` and `prompt_tokens` are all `prompt`. */
function plainName(key: string): string {
  const snake = key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return snake.replace(/_tokens?(?:_count)?(?=_details?$|$)/, '').replace(/_detail$/, '_details');
}

class UsageReader {
  private readonly counts = new Map<Count, number>();
  private readonly details: JsonObject = {};
  private excludesCache = false;
  private cost: number | undefined;

  read(usage: JsonObject): void {
    const wrapper = WRAPPERS.find((key) => isJsonObject(usage[key] ?? null));
    if (wrapper !== undefined) this.read(usage[wrapper] as JsonObject);
    for (const key of Object.keys(usage)) if (key !== wrapper) this.readField(key, usage[key] as JsonValue);
    const written = usage[CACHE_CREATION] ?? null;
    if (isJsonObject(written)) this.readWritten(written);
    this.excludesCache ||=
      Object.hasOwn(usage, 'input_tokens') &&
      (isJsonObject(written) || ANTHROPIC.some((key) => asCount(usage[key] ?? null) !== undefined));
  }

  targets(): JsonObject {
    this.addBuckets();
    const targets: JsonObject = {};
    for (const [count, tokens] of this.counts) targets[`usage.${count}`] = tokens;
    if (this.excludesCache && !this.counts.has('total')) targets['fact.exclusive_usage'] = true;
    if (this.cost !== undefined) targets['fact.cost'] = this.cost;
    targets['usage_details.*'] = this.details;
    return targets;
  }

  /** Buckets of other kinds, such as audio, belong to the input or output where the total is the sum of all buckets. */
  private addBuckets(): void {
    const total = this.counts.get('total');
    const others = { input: this.bucketsOf('input'), output: this.bucketsOf('output') };
    if (total === undefined || others.input + others.output === 0) return;
    let sum = others.input + others.output;
    for (const [count, tokens] of this.counts) if (count !== 'total') sum += tokens;
    if (sum !== total) return;
    for (const side of ['input', 'output'] as const) {
      if (others[side] === 0) continue;
      const sent = this.counts.get(side);
      if (sent !== undefined) setOwn(this.details, side, sent);
      this.counts.set(side, (sent ?? 0) + others[side]);
    }
  }

  private bucketsOf(side: 'input' | 'output'): number {
    const prefixes = side === 'input' ? ['input_', 'prompt_'] : ['output_', 'completion_'];
    let sum = 0;
    for (const key of Object.keys(this.details))
      if (prefixes.some((prefix) => plainName(key).startsWith(prefix)))
        sum += asCount(this.details[key] ?? null) ?? 0;
    return sum;
  }

  private readField(key: string, value: JsonValue): void {
    const name = plainName(key);
    const side = DETAILS[name];
    if (side !== undefined && isJsonObject(value)) return this.readDetails(key, side, value);
    if ((key === 'cost' || key === 'total_cost') && this.cost === undefined && typeof value === 'number') {
      this.cost = value;
      return;
    }
    const count = COUNTS.get(name);
    if ((count === 'input' || count === 'output') && isJsonObject(value) && value['total'] !== undefined)
      return this.readSum(key, count, value);
    const tokens = asCount(value);
    if (count === undefined || tokens === undefined || !this.take(count, tokens))
      setOwn(this.details, key, tokens ?? value);
  }

  /** The parts of what was written to the cache, where only they are stated. */
  private readWritten(parts: JsonObject): void {
    if (this.counts.has('cache_write')) return;
    let sum = 0;
    for (const key of Object.keys(parts)) sum += asCount(parts[key] ?? null) ?? 0;
    if (sum > 0) this.counts.set('cache_write', sum);
  }

  /** `inputTokens: {total, noCache, cacheRead}`: a sum with its parts. */
  private readSum(key: string, side: 'input' | 'output', { total = null, ...parts }: JsonObject): void {
    this.readField(key, total);
    this.readDetails(`${key}Details`, side, parts);
  }

  private readDetails(key: string, side: 'input' | 'output', details: JsonObject): void {
    const rest: JsonObject = {};
    for (const name of Object.keys(details)) {
      const value = details[name] as JsonValue;
      const tokens = asCount(value);
      const count = COUNTS.get(plainName(name)) ?? COUNTS.get(`${side}_${plainName(name)}`);
      const isPart = count !== undefined && count !== 'input' && count !== 'output' && count !== 'total';
      if (!isPart || tokens === undefined || !this.take(count, tokens)) setOwn(rest, name, value);
    }
    if (Object.keys(rest).length > 0) setOwn(this.details, key, rest);
  }

  /** Whether the count is stored: the first of several names counts. */
  private take(count: Count, tokens: number): boolean {
    const known = this.counts.get(count);
    if (known === undefined) this.counts.set(count, tokens);
    return known === undefined || known === tokens;
  }
}
