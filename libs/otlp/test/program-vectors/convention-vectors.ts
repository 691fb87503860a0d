import type { ProgramVector } from '../arrival.js';

const json = JSON.stringify;
const KINDS = {
  LLM: 'model',
  TOOL: 'tool',
  AGENT: 'chain',
  RETRIEVER: 'tool',
  EMBEDDING: 'model',
  RERANKER: 'tool',
  CHAIN: 'chain',
} as const;
const FRAMEWORKS = ['autogen', 'spring_ai', 'langgraph', 'crewai', 'semantic_kernel', 'llamaindex'];
const [ROOT, STEP] = ['1111111111111111', '2222222222222222'];

/** Only the framework, and no provider. */
const isOnlyFramework = (framework: string): object => ({
  asymmetricMatch: (config: object) => JSON.stringify(config) === JSON.stringify({ framework }),
});

/** Spans of frameworks, each below the one that it is part of. */
export const conventionProgramVectors: readonly ProgramVector[] = [
  {
    name: 'a voice pipeline: transcription, model, tool and speech',
    scope: 'pipecat',
    spans: [
      { name: 'turn', spanId: ROOT, attributes: { 'turn.number': 1, 'conversation.id': 'call-1' } },
      {
        ...{ name: 'stt', parentSpanId: ROOT },
        attributes: {
          ...{ 'gen_ai.operation.name': 'stt', 'gen_ai.request.model': 'nova', transcript: 'Is it late?' },
          ...{ is_final: true, 'metrics.ttfb': 0.25 },
        },
      },
      {
        ...{ name: 'llm', parentSpanId: ROOT },
        attributes: {
          ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', 'metrics.ttfb': 0.5 },
          ...{ input: json([{ role: 'user', content: 'Is it late?' }]), output: 'Not yet.', tool_count: 1 },
        },
      },
      {
        ...{ name: 'tool_call', parentSpanId: ROOT },
        attributes: {
          ...{ 'tool.function_name': 'clock', 'tool.call_id': 'c1', 'tool.arguments': '{"zone":"UTC"}' },
          'tool.result': '{"hour":9}',
        },
      },
      {
        ...{ name: 'tts', parentSpanId: ROOT },
        attributes: {
          'gen_ai.operation.name': 'tts',
          'gen_ai.request.model': 'sonic',
          text: 'Not yet.',
          voice_id: 'v',
        },
      },
    ],
    events: {
      turn: { event_type: 'chain', metadata: { session_key: 'call-1' } },
      stt: {
        outputs: { content: 'Is it late?' },
        metadata: { time_to_first_token_ms: 250 },
      },
      llm: {
        ...{ event_type: 'model', inputs: { chat_history: [{ role: 'user', content: 'Is it late?' }] } },
        ...{ outputs: { content: 'Not yet.' }, metadata: { time_to_first_token_ms: 500 } },
      },
      tool_call: {
        ...{ event_type: 'tool', inputs: { zone: 'UTC' }, outputs: { hour: 9 } },
        metadata: { tool_name: 'clock', tool_call_id: 'c1' },
      },
      tts: { inputs: { chat_history: [{ content: 'Not yet.' }] }, config: { model: 'sonic' } },
    },
  },
  {
    name: 'a conversation of Spring AI with a tool',
    spans: [
      {
        ...{ name: 'client', spanId: ROOT },
        attributes: {
          ...{ 'spring.ai.kind': 'chat_client', 'gen_ai.system': 'spring_ai' },
          ...{ 'gen_ai.operation.name': 'framework', 'spring.ai.chat.client.conversation.id': 'talk-1' },
        },
      },
      {
        ...{ name: 'model', parentSpanId: ROOT, kind: 3 },
        attributes: {
          ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'openai', 'gen_ai.request.model': 'gpt-4o' },
          ...{ 'gen_ai.usage.input_tokens': '44', 'gen_ai.usage.output_tokens': '9' },
        },
      },
      {
        ...{ name: 'tool', parentSpanId: ROOT },
        attributes: {
          ...{
            'spring.ai.kind': 'tool_call',
            'gen_ai.operation.name': 'framework',
            'gen_ai.system': 'spring_ai',
          },
          ...{
            'spring.ai.tool.definition.name': 'weather',
            'spring.ai.tool.call.arguments': '{"city":"Oslo"}',
          },
          'spring.ai.tool.call.result': '{"celsius":7}',
        },
      },
    ],
    events: {
      client: {
        event_type: 'chain',
        config: { framework: 'spring_ai' },
        metadata: { session_key: 'talk-1' },
      },
      model: { event_type: 'model', metadata: { prompt_tokens: 44, completion_tokens: 9, total_tokens: 53 } },
      tool: {
        ...{ event_type: 'tool', inputs: { city: 'Oslo' }, outputs: { celsius: 7 } },
        metadata: { tool_name: 'weather' },
      },
    },
  },
  {
    name: 'a call of MLflow, whose attributes are all JSON texts',
    spans: [
      {
        ...{ name: 'llm' },
        attributes: {
          ...{
            'mlflow.spanType': '"CHAT_MODEL"',
            'mlflow.llm.model': '"gpt-4o"',
            'mlflow.llm.provider': '"openai"',
          },
          'mlflow.chat.tools': json([{ type: 'function', function: { name: 'get_weather' } }]),
          'mlflow.spanInputs': json({ messages: [{ role: 'user', content: 'Rain?' }] }),
          'mlflow.spanOutputs': json({ choices: [{ message: { role: 'assistant', content: 'Yes.' } }] }),
        },
      },
      {
        name: 'text',
        attributes: {
          'mlflow.spanType': '"UNKNOWN"',
          'mlflow.spanInputs': '{"q":1}',
          'mlflow.spanOutputs': '"x"',
        },
      },
    ],
    events: {
      llm: {
        event_type: 'model',
        config: { model: 'gpt-4o', provider: 'openai', tools: [{ function: { name: 'get_weather' } }] },
        ...{ inputs: { chat_history: [{ content: 'Rain?' }] }, outputs: { content: 'Yes.' } },
      },
      text: { inputs: { q: 1 }, outputs: { value: 'x' } },
    },
  },
  {
    name: 'kinds of spans',
    spans: Object.keys(KINDS).map((kind) => ({ name: kind, attributes: { 'gen_ai.span.kind': kind } })),
    events: Object.fromEntries(Object.entries(KINDS).map(([kind, event_type]) => [kind, { event_type }])),
  },
  {
    name: 'an agent that names a model is no call of it',
    spans: [
      {
        name: 'agent',
        attributes: {
          ...{ 'gen_ai.span.kind': 'AGENT', 'gen_ai.request.model': 'gpt-4o' },
          ...{ 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 2 },
        },
      },
    ],
    events: {
      agent: {
        event_type: 'chain',
        metadata: { aggregate_usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } },
      },
    },
  },
  {
    name: 'operations on a memory',
    spans: [
      {
        name: 'search',
        attributes: {
          ...{ 'gen_ai.operation.name': 'search_memory', 'gen_ai.memory.query.text': 'diet' },
          'gen_ai.memory.records': json([{ id: 'm1', content: 'vegan' }]),
        },
      },
      {
        name: 'create',
        attributes: {
          'gen_ai.operation.name': 'create_memory',
          'gen_ai.memory.records': json([{ content: 'likes tea' }]),
        },
      },
    ],
    events: {
      search: {
        ...{ event_type: 'tool', inputs: { query: 'diet' } },
        outputs: { records: [{ id: 'm1', content: 'vegan' }] },
      },
      create: { event_type: 'tool', inputs: { records: [{ content: 'likes tea' }] } },
    },
  },
  {
    name: 'a tool in the names of the Sentry SDK',
    spans: [
      {
        name: 'pick',
        attributes: {
          ...{
            'sentry.op': 'gen_ai.execute_tool',
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'pick',
          },
          ...{ 'gen_ai.tool.input': '{"kind":"fruit"}', 'gen_ai.tool.output': '{"fruit":"fig"}' },
        },
      },
    ],
    events: { pick: { event_type: 'tool', inputs: { kind: 'fruit' }, outputs: { fruit: 'fig' } } },
  },
  {
    name: 'texts in JSON quotes, and values that were encoded twice',
    spans: [
      {
        name: 'step',
        attributes: {
          ...{ 'langfuse.observation.type': 'span', 'langfuse.trace.metadata.plan': '"pro"' },
          ...{ 'langfuse.observation.metadata.n': '3', 'langfuse.observation.metadata.o': '{"a":1}' },
          'langfuse.observation.metadata.twice': json(json({ b: 2 })),
        },
      },
    ],
    events: { step: { metadata: { plan: 'pro', n: '3', o: { a: 1 }, twice: { b: 2 } } } },
  },
  {
    name: 'frameworks in the place of the provider',
    spans: FRAMEWORKS.map((framework) => ({
      name: framework,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.system': framework },
    })),
    events: Object.fromEntries(
      FRAMEWORKS.map((framework) => [framework, { event_type: 'chain', config: isOnlyFramework(framework) }]),
    ),
  },
  {
    name: 'merged tool calls, and messages between agents',
    spans: [
      {
        ...{ name: 'execute_tool (merged)', spanId: STEP },
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': '(merged tools)' },
      },
      {
        ...{ name: 'autogen send helper', kind: 4 },
        attributes: {
          ...{ 'messaging.operation': 'publish', 'messaging.destination': 'helper.(abc)-T' },
          'gen_ai.system': 'autogen',
        },
      },
    ],
    events: {
      'execute_tool (merged)': { event_type: 'chain' },
      'autogen send helper': { event_type: 'chain' },
    },
  },
];
