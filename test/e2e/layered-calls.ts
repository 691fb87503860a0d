import { randomUUID } from 'node:crypto';
import { spanJson } from '@assay/otlp/test/otlp-request';

/** Returns a number from 0 up to, and without, the given one. */
export type Random = (below: number) => number;

/** A generator of numbers that a seed determines. */
export function seededRandom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/** One call of a model, as the provider counted it. */
interface Call {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
  readonly responseId: string;
}

type Attributes = Record<string, unknown>;
/** Spellings of one model by those that see its calls. */
const MODELS = [
  'gpt-4o',
  'openai/gpt-4o',
  'gpt-4o-2024-08-06',
  'openrouter/openai/gpt-4o',
  'GPT-4o',
  'azure:gpt-4o-latest',
];

/** Libraries and gateways that see a call, with the attributes by which each tells its counts. */
const LAYERS: readonly ((call: Call, model: string) => Attributes)[] = [
  ({ input, output, responseId }, model) => ({
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model, 'gen_ai.response.id': responseId },
    ...{ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output },
  }),
  ({ input, output, cached, reasoning }, model) => ({
    ...{ 'openinference.span.kind': 'LLM', 'llm.model_name': model },
    ...{ 'llm.token_count.prompt': input, 'llm.token_count.completion': output },
    ...{ 'llm.token_count.total': input + output, 'llm.token_count.prompt_details.cache_read': cached },
    'llm.token_count.completion_details.reasoning': reasoning,
  }),
  ({ input, output, cached, reasoning }, model) => ({
    ...{ 'langfuse.observation.type': 'generation', 'langfuse.observation.model.name': model },
    'langfuse.observation.usage_details': JSON.stringify({
      ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    }),
  }),
  ({ input, output, reasoning, responseId }, model) => ({
    ...{ 'ai.operationId': 'ai.generateText.doGenerate', 'ai.model.id': model, 'ai.response.id': responseId },
    ...{ 'ai.usage.promptTokens': input, 'ai.usage.completionTokens': output },
    'ai.usage.reasoningTokens': reasoning,
  }),
  ({ input, output, cached }, model) => ({
    ...{ 'mlflow.spanType': '"CHAT_MODEL"', 'mlflow.llm.model': JSON.stringify(model) },
    'mlflow.chat.tokenUsage': JSON.stringify({
      ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
      cache_read_input_tokens: cached,
    }),
  }),
  ({ input, output, responseId }, model) => ({
    ...{ 'gen_ai.response.model': model, 'gen_ai.response.id': responseId, 'llm.request.type': 'chat' },
    ...{ 'gen_ai.usage.prompt_tokens': String(input), 'gen_ai.usage.completion_tokens': String(output) },
  }),
];
/** Events between two layers, which are no calls of a model. */
const BETWEEN: readonly Attributes[] = [
  { 'http.request.method': 'POST' },
  { 'openinference.span.kind': 'CHAIN' },
  { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' },
];

export interface LayeredTrace {
  readonly sessionId: string;
  /** In any order. */
  readonly spans: readonly object[];
  /** Sums over the calls, each counted once. */
  readonly prompt: number;
  readonly completion: number;
}

/** A random tree of steps with calls below them, each seen by one to three layers with up to two other spans between them. */
export function layeredTrace(random: Random): LayeredTrace {
  const sessionId = randomUUID();
  const traceId = randomUUID().replaceAll('-', '');
  const spans: object[] = [];
  const add = (parentSpanId: string | undefined, attributes: Attributes): string => {
    const spanId = randomUUID().replaceAll('-', '').slice(16);
    const name = `span ${spans.length}`;
    const own = { ...attributes, 'session.id': sessionId };
    spans.push(spanJson({ traceId, spanId, name, ...(parentSpanId && { parentSpanId }), attributes: own }));
    return spanId;
  };
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const steps = [add(undefined, {})];
  let [prompt, completion] = [0, 0];
  for (let calls = 1 + random(5); calls > 0; calls--) {
    const [input, output] = [200 + 1_000 * calls + random(900), 50 + random(900)];
    const call = {
      ...{ input, output, cached: random(input), reasoning: random(output) },
      responseId: `resp-${randomUUID()}`,
    };
    [prompt, completion] = [prompt + input, completion + output];
    let below = pick(steps);
    for (let layers = 1 + random(3); layers > 0; layers--) {
      for (let between = random(3); between > 0; between--) below = add(below, pick(BETWEEN));
      below = add(below, pick(LAYERS)(call, pick(MODELS)));
    }
    // A tool may run below a call, and call a model itself.
    steps.push(add(random(3) === 0 ? below : pick(steps), { 'openinference.span.kind': 'TOOL' }));
  }
  return { sessionId, spans: shuffled(spans, random), prompt, completion };
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items];
  return Array.from(items, () => left.splice(random(left.length), 1)[0] as Item);
}
