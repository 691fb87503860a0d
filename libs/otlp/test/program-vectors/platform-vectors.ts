import { call, type ProgramVector } from '../arrival.js';

const json = JSON.stringify;
const CHAT = {
  ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'a-model-without-a-price' },
  ...{ 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 20 },
};
const ASKED = [{ role: 'user', content: 'Rain?' }];
const chat = (name: string, attributes: object, metadata: object) =>
  call(name, { ...CHAT, ...attributes }, { event_type: 'model', metadata });
const tool = (name: string, attributes: object) =>
  call(
    name,
    { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'rain', ...attributes },
    { event_type: 'tool', inputs: { city: 'Oslo' }, outputs: { mm: 9 } },
  );

/** Attributes that gateways, SDKs and platforms send beside or instead of the conventions. */
export const platformVectors: readonly ProgramVector[] = [
  ...(
    [
      ['gen_ai.usage.cost.total', 'gen_ai.usage.cost.prompt', 'gen_ai.usage.cost.completion'],
      ['gen_ai.usage.total_cost', 'gen_ai.usage.input_cost', 'gen_ai.usage.output_cost'],
      ['gen_ai.cost.total_tokens', 'gen_ai.cost.input_tokens', 'gen_ai.cost.output_tokens'],
      ['gen_ai.cost.usd', 'gen_ai.cost.input_usd', 'gen_ai.cost.output_usd'],
      ['gen_ai.usage.cost_usd', 'gen_ai.cost.input', 'gen_ai.cost.output'],
    ] as const
  ).map(([total, input, output]) =>
    chat(
      `costs as ${total} and ${input}`,
      { [total]: 0.5, [input]: 0.125, [output]: 0.25 },
      { cost: 0.5, cost_details: { prompt: 0.125, completion: 0.25 } },
    ),
  ),
  chat(
    'costs of a gateway in parts are added',
    {
      'gen_ai.usage.input_cost': '0.125',
      'gen_ai.usage.output_cost': 0.25,
      'gen_ai.usage.cost.reasoning': 0.0625,
    },
    { cost: 0.375, cost_details: { reasoning: 0.0625 } },
  ),
  chat(
    'thinking and audio tokens and the cache under the names of SDKs',
    {
      ...{ 'gen_ai.usage.thinking_tokens': 8, 'gen_ai.usage.cache_create_input_tokens': 16 },
      ...{ 'gen_ai.usage.audio_input_tokens': 4, 'gen_ai.usage.audio_output_tokens': 2 },
      'gen_ai.server.ttft': 0.25,
    },
    {
      ...{ reasoning_tokens: 8, cache_creation_input_tokens: 16, time_to_first_token_ms: 250 },
      usage_details: { audio_input: 4, audio_output: 2 },
    },
  ),
  call(
    'former names of the Sentry SDK',
    {
      ...{ 'gen_ai.operation.name': 'chat', 'ai.model_id': 'gpt-4o', 'ai.finish_reason': 'stop' },
      ...{ 'ai.prompt_tokens.used': 10, 'ai.completion_tokens.used': 5, 'ai.total_tokens.used': 15 },
      ...{ 'ai.total_cost': 0.5, 'ai.input_messages': json(ASKED), 'ai.responses': json(['Yes.']) },
    },
    {
      ...{ event_type: 'model', config: { model: 'gpt-4o' }, inputs: { chat_history: ASKED } },
      outputs: { role: 'assistant', content: 'Yes.', finish_reason: 'stop' },
      metadata: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.5 },
    },
  ),
  call(
    'former names of OpenLLMetry and its forks',
    {
      ...{
        'llm.request.type': 'chat',
        'llm.request.model': 'gpt-4o',
        'llm.response.model': 'gpt-4o-2024-08-06',
      },
      ...{ 'llm.vendor': 'OpenAI', 'llm.usage.cost': 0.5, 'gen_ai.response.stop_reason': 'end_turn' },
    },
    {
      event_type: 'model',
      config: { model: 'gpt-4o', provider: 'openai' },
      metadata: { response_model: 'gpt-4o-2024-08-06', cost: 0.5, finish_reasons: ['end_turn'] },
    },
  ),
  tool('a tool with gen_ai.tool.args and gen_ai.tool.result', {
    'gen_ai.tool.args': json({ city: 'Oslo' }),
    'gen_ai.tool.result': json({ mm: 9 }),
  }),
  tool('a tool with gen_ai.tool.call.input and gen_ai.tool.call.output', {
    'gen_ai.tool.call.input': json({ city: 'Oslo' }),
    'gen_ai.tool.call.output': json({ mm: 9 }),
  }),
  call(
    'messages of an agent of Semantic Kernel before 1.38',
    {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather' },
      'gen_ai.agent.invocation_input': json(ASKED),
      'gen_ai.agent.invocation_output': json([{ role: 'assistant', content: 'Yes.', finish_reason: 'stop' }]),
    },
    { event_type: 'chain', inputs: { chat_history: ASKED }, outputs: { role: 'assistant', content: 'Yes.' } },
  ),
  call(
    'an error in attributes alone',
    { ...CHAT, 'gen_ai.error.type': 'RateLimitError', 'gen_ai.error.message': 'slow down' },
    { error: 'slow down', metadata: { error_type: 'RateLimitError' } },
  ),
  call(
    'reasoning and text of an answer in attributes of their own',
    { ...CHAT, 'gen_ai.response.thinking': 'Clouds.', 'gen_ai.output.text': 'Yes.' },
    { outputs: { role: 'assistant', content: 'Yes.', reasoning: 'Clouds.' } },
  ),
  call(
    'a call in Laminar',
    {
      ...{ 'lmnr.span.type': 'LLM', 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.cost': 0.5 },
      ...{ 'lmnr.span.input': json(ASKED), 'lmnr.span.output': json('Yes.') },
      ...{ 'lmnr.association.properties.session_id': 's-1', 'lmnr.association.properties.user_id': 'u-1' },
      ...{
        'lmnr.association.properties.metadata.env': 'prod',
        'lmnr.association.properties.tags': ['a', 'b'],
      },
    },
    {
      ...{ event_type: 'model', inputs: { chat_history: ASKED }, outputs: { content: 'Yes.' } },
      user_properties: { user_id: 'u-1' },
      metadata: { session_key: 's-1', env: 'prod', tags: ['a', 'b'], cost: 0.5 },
    },
  ),
  call(
    'a tool in Laminar',
    { 'lmnr.span.type': 'TOOL', 'lmnr.span.input': json({ city: 'Oslo' }), 'lmnr.span.output': '3' },
    { event_type: 'tool', inputs: { city: 'Oslo' }, outputs: { value: 3 } },
  ),
  call(
    'a call in Braintrust',
    {
      'braintrust.span_attributes': json({ type: 'llm' }),
      'braintrust.input_json': json(ASKED),
      'braintrust.output_json': json([
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Yes.' } },
      ]),
      'braintrust.metadata': json({ provider: 'openai', model: 'gpt-4o', temperature: 0.5, team: 'a' }),
      'braintrust.metrics': json({
        ...{ prompt_tokens: 100, completion_tokens: 20, tokens: 120, prompt_cached_tokens: 64 },
        ...{ completion_reasoning_tokens: 8, time_to_first_token: 0.25, estimated_cost: 0.5 },
      }),
      'braintrust.scores': json({ right: 1 }),
      'braintrust.expected': json('Yes!'),
    },
    {
      ...{ event_type: 'model', config: { provider: 'openai', model: 'gpt-4o', temperature: 0.5 } },
      ...{ inputs: { chat_history: ASKED }, outputs: { role: 'assistant', content: 'Yes.' } },
      metadata: {
        ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cache_read_input_tokens: 64 },
        ...{ reasoning_tokens: 8, time_to_first_token_ms: 250, cost: 0.5, team: 'a' },
      },
      ...{ metrics: { right: 1 }, feedback: { ground_truth: 'Yes!' } },
    },
  ),
  call(
    'a call in Braintrust with flat keys',
    {
      ...{
        'braintrust.span_attributes.type': 'llm',
        'braintrust.input': 'Rain?',
        'braintrust.output': 'Yes.',
      },
      ...{ 'braintrust.metadata.model': 'gpt-4o', 'braintrust.metrics.prompt_tokens': 100 },
      ...{ 'braintrust.metrics.completion_tokens': 20, 'braintrust.metrics.tokens': 120 },
      'braintrust.scores.right': 1,
    },
    {
      ...{ event_type: 'model', config: { model: 'gpt-4o' }, metrics: { right: 1 } },
      ...{ inputs: { chat_history: ASKED }, outputs: { content: 'Yes.' } },
      metadata: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    },
  ),
  call(
    'a tool in AgentOps',
    {
      ...{ 'agentops.span.kind': 'tool', 'agentops.entity.name': 'rain' },
      'agentops.tool.input': json({ args: ['Oslo'], kwargs: {} }),
      'agentops.tool.output': json({ mm: 9 }),
    },
    { event_type: 'tool', inputs: { args: ['Oslo'] }, outputs: { mm: 9 } },
  ),
  call(
    'a call in LangWatch',
    {
      ...{ 'langwatch.span.type': 'llm', 'gen_ai.request.model': 'gpt-4o', 'langwatch.cost.usd': 0.5 },
      ...{ 'langwatch.thread.id': 't-1', 'langwatch.user.id': 'u-1' },
      'langwatch.input': json({ type: 'chat_messages', value: ASKED }),
      'langwatch.output': json({ type: 'chat_messages', value: [{ role: 'assistant', content: 'Yes.' }] }),
    },
    {
      ...{ event_type: 'model', inputs: { chat_history: ASKED }, outputs: { content: 'Yes.' } },
      ...{ user_properties: { user_id: 'u-1' }, metadata: { session_key: 't-1', cost: 0.5 } },
    },
  ),
  call(
    'details of tokens in the spelling of OpenLIT',
    {
      ...CHAT,
      'gen_ai.usage.prompt_tokens_details.cache_read': 64,
      'gen_ai.usage.completion_tokens_details.reasoning': 8,
      'gen_ai.usage.completion_tokens_details.audio': 2,
    },
    {
      metadata: { cache_read_input_tokens: 64, reasoning_tokens: 8, usage_details: { audio_output: 2 } },
    },
  ),
  call(
    'a prompt and a response as texts',
    { ...CHAT, 'gen_ai.request.prompt': 'Rain?', 'gen_ai.response.content': 'Yes.' },
    { inputs: { chat_history: ASKED }, outputs: { role: 'assistant', content: 'Yes.' } },
  ),
  call(
    'a component of Haystack',
    {
      ...{ 'haystack.component.name': 'prompt', 'haystack.component.type': 'PromptBuilder' },
      'haystack.component.input': json({ city: 'Oslo' }),
      'haystack.component.output': json({ prompt: 'Rain in Oslo?' }),
    },
    { inputs: { city: 'Oslo' }, outputs: { prompt: 'Rain in Oslo?' } },
  ),
  call(
    'a thread of Azure agents',
    { ...CHAT, 'gen_ai.thread.id': 'thread_1' },
    { metadata: { session_key: 'thread_1', 'gen_ai.thread.id': 'thread_1' } },
  ),
];
