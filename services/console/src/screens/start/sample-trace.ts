/** A random id in hexadecimal digits. */
function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((one) => one.toString(16).padStart(2, '0'))
    .join('');
}

interface Step {
  readonly name: string;
  /** Milliseconds after the start of the trace. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

const message = (role: string, content: string) => [{ role, parts: [{ type: 'text', content }] }];
const QUESTION = 'Where is my refund for order 118?';
const REPLY = 'Your refund of €38 was issued on 4 May.';

const STEPS: readonly Step[] = [
  {
    ...{ name: 'chat gpt-4o', from: 40, to: 720 },
    attributes: {
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
      ...{ 'gen_ai.usage.input_tokens': 412, 'gen_ai.usage.output_tokens': 24 },
      'gen_ai.input.messages': JSON.stringify(message('user', QUESTION)),
      'gen_ai.output.messages': JSON.stringify([
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'call_1', name: 'search_orders', arguments: { order: 118 } }],
        },
      ]),
    },
  },
  {
    ...{ name: 'execute_tool search_orders', from: 730, to: 910 },
    attributes: {
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search_orders' },
      ...{ 'gen_ai.tool.call.arguments': '{"order": 118}' },
      'gen_ai.tool.call.result':
        '{"order": 118, "refund": {"amount": 38, "currency": "EUR", "issued": "4 May"}}',
    },
  },
  {
    ...{ name: 'chat gpt-4o', from: 920, to: 1_640 },
    attributes: {
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
      ...{ 'gen_ai.usage.input_tokens': 498, 'gen_ai.usage.output_tokens': 31 },
      'gen_ai.input.messages': JSON.stringify(message('user', QUESTION)),
      'gen_ai.output.messages': JSON.stringify(message('assistant', REPLY)),
    },
  },
];

/** Returns a trace of an agent in OTLP: two model calls and a tool between them, which ended a moment ago. */
export function sampleTrace(now: number): object {
  const traceId = randomHex(16);
  const rootId = randomHex(8);
  const start = now - 2_000;
  const agent = {
    ...{ name: 'invoke_agent refund-agent', from: 0, to: 1_660 },
    attributes: {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'refund-agent' },
      'gen_ai.input.messages': JSON.stringify(message('user', QUESTION)),
      'gen_ai.output.messages': JSON.stringify(message('assistant', REPLY)),
    },
  };
  const spans = [
    toSpan(agent, { traceId, spanId: rootId }, start),
    ...STEPS.map((step) => toSpan(step, { traceId, spanId: randomHex(8), parentSpanId: rootId }, start)),
  ];
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'refund-agent' } }] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'sample' }, spans }] }] };
}

function toSpan({ name, from, to, attributes }: Step, ids: object, start: number): object {
  return {
    ...{ ...ids, name, kind: 1 },
    startTimeUnixNano: `${start + from}000000`,
    endTimeUnixNano: `${start + to}000000`,
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
  };
}
