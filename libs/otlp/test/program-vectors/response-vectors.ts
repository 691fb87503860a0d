import { call, type ProgramVector } from '../arrival.js';

const json = JSON.stringify;
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' };
const GENERATION = { 'langfuse.observation.type': 'generation' };
const ANSWERED = { role: 'assistant', content: 'Yes.' };
const THOUGHT = { ...ANSWERED, reasoning: 'Bergen is wet.' };
const ASKED = [{ role: 'user', content: 'Rain?' }];
const BRIEFED = [{ role: 'system', content: 'Be brief.' }, ...ASKED];
const RAIN = { id: 'call_1', name: 'rain', arguments: { city: 'Oslo', days: 2 } };
const OUTPUT = 'llm.output_messages.0.message.';
const response = (message: object) => ({ ...CHAT, 'gen_ai.output.messages': json([message]) });
const generated = (output: unknown) => ({ ...GENERATION, 'langfuse.observation.output': json(output) });
const mlflow = (inputs: object, outputs: object) => ({
  'mlflow.spanType': '"CHAT_MODEL"',
  'mlflow.spanInputs': json(inputs),
  'mlflow.spanOutputs': json(outputs),
});
const CUT = json([
  { role: 'user', content: 'Rain?' },
  { role: 'assistant', content: 'Yes.' },
]).slice(0, -12);

/** Thoughts of a model in the fields of providers. */
const THOUGHTS: Readonly<Record<string, object>> = {
  'a part that is marked in text': {
    parts: [
      { text: 'Bergen is wet.', thought: 'true' },
      { text: 'Yes.', thought: false },
    ],
  },
  'a part of the conventions that is marked': {
    parts: [
      { type: 'text', content: 'Bergen is wet.', thought: true },
      { type: 'text', content: 'Yes.' },
    ],
  },
  'a list of texts': {
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Bergen is wet.' }] },
      { type: 'text', text: 'Yes.' },
    ],
  },
  'blocks with signatures': {
    content: 'Yes.',
    thinking_blocks: [{ type: 'thinking', thinking: 'Bergen is wet.', signature: 's' }],
  },
  'blocks beside the text that they repeat': {
    thinking_blocks: [{ type: 'thinking', thinking: 'Bergen is wet.', signature: 's' }],
    reasoning_content: 'Bergen is wet.',
    content: 'Yes.',
  },
  'details beside two fields of one text': {
    ...{ reasoning: 'Bergen is wet.', reasoning_content: 'Bergen is wet.', content: 'Yes.' },
    reasoning_details: [{ type: 'reasoning.text', text: 'Bergen is wet.', index: 0 }],
  },
  'a field beside the content': { thinking: 'Bergen is wet.', content: 'Yes.' },
  'a field of additional arguments': {
    ...{ content: 'Yes.', additional_kwargs: { reasoning_content: 'Bergen is wet.' } },
    response_metadata: {},
  },
};

/** Requests and responses in the forms of providers and frameworks. */
export const responseVectors: readonly ProgramVector[] = [
  ...Object.entries(THOUGHTS).map(([name, message]) =>
    call(`thoughts in ${name}`, response({ role: 'assistant', ...message }), { outputs: THOUGHT }),
  ),
  call(
    'the items of one response are one message',
    generated([
      { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Bergen is wet.' }] },
      { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'rain' } },
      { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] },
      { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'rain', arguments: json(RAIN.arguments) },
    ]),
    {
      outputs: {
        ...THOUGHT,
        tool_calls: [
          { id: 'ws_1', name: 'web_search', arguments: { query: 'rain' }, type: 'server' },
          { ...RAIN, item_id: 'fc_1' },
        ],
      },
    },
  ),
  call(
    'the items of a conversation are its messages, with the ids of calls that results name',
    {
      ...GENERATION,
      'langfuse.observation.input': json([
        ...ASKED,
        { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'AAA=' },
        { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'rain', arguments: '{"city":"Oslo"}' },
        { id: 'fc_2', type: 'function_call', call_id: 'call_2', name: 'rain', arguments: '{"city":"Rome"}' },
        { type: 'function_call_output', call_id: 'call_1', output: '9 mm' },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: 'dry' },
      ]),
    },
    {
      inputs: {
        chat_history: [
          ...ASKED,
          {
            ...{ role: 'assistant', content: null },
            tool_calls: [
              { id: 'call_1', name: 'rain', arguments: { city: 'Oslo' }, item_id: 'fc_1' },
              { id: 'call_2', name: 'rain', arguments: { city: 'Rome' }, item_id: 'fc_2' },
            ],
          },
          { role: 'tool', content: '9 mm', tool_call_id: 'call_1' },
          { role: 'tool', content: 'dry', tool_call_id: 'call_2' },
        ],
      },
    },
  ),
  call(
    'calls of tools of the provider, and their results',
    generated({
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'rain' } },
        { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ url: 'https://example.com' }] },
        { type: 'mcp_tool_use', id: 's2', name: 'echo', server_name: 'x', input: { a: 1 } },
        { type: 'mcp_tool_result', tool_use_id: 's2', content: [{ type: 'text', text: 'hi' }] },
        { type: 'text', text: 'Yes.' },
      ],
    }),
    {
      outputs: {
        ...ANSWERED,
        chat_history: [
          {
            tool_calls: [{ id: 's1', name: 'web_search', arguments: { query: 'rain' }, type: 'server' }],
          },
          { role: 'tool', tool_call_id: 's1', content: '[{"url":"https://example.com"}]' },
          { tool_calls: [{ id: 's2', name: 'echo', arguments: { a: 1 }, type: 'server' }] },
          { role: 'tool', tool_call_id: 's2', content: 'hi' },
          ANSWERED,
        ],
      },
    },
  ),
  call(
    'a call among the parts and the calls, with its arguments in another order',
    {
      ...{ 'openinference.span.kind': 'LLM', [`${OUTPUT}role`]: 'assistant' },
      [`${OUTPUT}contents.0.message_content.type`]: 'tool_use',
      [`${OUTPUT}contents.0.message_content.id`]: 'call_1',
      [`${OUTPUT}contents.0.message_content.name`]: 'rain',
      [`${OUTPUT}contents.0.message_content.input`]: '{"days": 2, "city": "Oslo"}',
      [`${OUTPUT}tool_calls.0.tool_call.id`]: 'call_1',
      [`${OUTPUT}tool_calls.0.tool_call.function.name`]: 'rain',
      [`${OUTPUT}tool_calls.0.tool_call.function.arguments`]: '{"city":"Oslo","days":2}',
    },
    { outputs: { tool_calls: [RAIN] } },
  ),
  call(
    'calls in the additional arguments of LangChain',
    generated({
      ...{ role: 'assistant', content: '' },
      additional_kwargs: {
        tool_calls: [{ id: 'call_1', function: { name: 'rain', arguments: json(RAIN.arguments) } }],
      },
    }),
    { outputs: { role: 'assistant', tool_calls: [RAIN] } },
  ),
  call(
    'a function call in the additional arguments of LangChain',
    generated({
      ...{ lc: 1, type: 'constructor', id: ['langchain', 'schema', 'messages', 'AIMessage'] },
      kwargs: {
        content: '',
        additional_kwargs: { function_call: { name: 'rain', arguments: '{"city":"Oslo"}' } },
      },
    }),
    { outputs: { role: 'assistant', tool_calls: [{ name: 'rain', arguments: { city: 'Oslo' } }] } },
  ),
  call(
    'arguments and messages that were encoded twice',
    {
      ...response({
        role: 'assistant',
        tool_calls: [{ id: 'call_1', function: { name: 'rain', arguments: json(json(RAIN.arguments)) } }],
      }),
      'gen_ai.input.messages': json(json(ASKED)),
    },
    { inputs: { chat_history: ASKED }, outputs: { tool_calls: [RAIN] } },
  ),
  call(
    'a tool whose arguments were encoded twice, and whose result is a text in JSON quotes',
    {
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'rain' },
      'gen_ai.tool.call.arguments': json(json({ city: 'Oslo' })),
      'gen_ai.tool.call.result': '"9 mm"',
    },
    { event_type: 'tool', inputs: { city: 'Oslo' }, outputs: { value: '9 mm' } },
  ),
  call(
    'a request and a response of the Responses API',
    mlflow(
      { model: 'gpt-4o', instructions: 'Be brief.', input: 'Rain?' },
      { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }] },
    ),
    { inputs: { model: 'gpt-4o', chat_history: BRIEFED }, outputs: ANSWERED },
  ),
  call(
    'a request and a response of Anthropic',
    mlflow(
      { model: 'claude-sonnet-4-5', system: [{ type: 'text', text: 'Be brief.' }], messages: ASKED },
      { role: 'assistant', type: 'message', content: [{ type: 'text', text: 'Yes.' }] },
    ),
    { inputs: { model: 'claude-sonnet-4-5', chat_history: BRIEFED }, outputs: ANSWERED },
  ),
  call(
    'a request and a response of Gemini',
    mlflow(
      {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user', parts: [{ text: 'Rain?' }] }],
      },
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }] },
    ),
    { inputs: { chat_history: BRIEFED }, outputs: { ...ANSWERED, finish_reason: 'STOP' } },
  ),
  call(
    'a request of embeddings is no conversation',
    { 'mlflow.spanType': '"EMBEDDING"', 'mlflow.spanInputs': json({ model: 'voyage-3', input: 'rain' }) },
    { event_type: 'model', inputs: { model: 'voyage-3', input: 'rain' } },
  ),
  ...['input.value', 'langfuse.observation.input', 'mlflow.spanInputs'].map((key) =>
    call(
      `messages that were cut in ${key}`,
      { ...CHAT, [key]: CUT },
      {
        inputs: { chat_history: ASKED },
        metadata: { truncated: [key], [key]: '{"role":"assistant","conte' },
      },
    ),
  ),
  call(
    'a list that was cut and holds no messages is kept whole',
    { ...CHAT, 'gen_ai.input.messages': '[{"topic":"rain"},{"topic":"sn' },
    { metadata: { 'gen_ai.input.messages': '[{"topic":"rain"},{"topic":"sn' } },
  ),
  call(
    'blocks of LlamaIndex',
    {
      ...CHAT,
      'input.value': json({ messages: [{ role: 'user', blocks: [{ block_type: 'text', text: 'Rain?' }] }] }),
      'output.value': json({
        message: {
          role: 'assistant',
          blocks: [
            { block_type: 'thinking', content: 'Bergen is wet.' },
            { block_type: 'text', text: 'Yes.' },
            {
              block_type: 'tool_call',
              tool_call_id: 'call_1',
              tool_name: 'rain',
              tool_kwargs: RAIN.arguments,
            },
          ],
        },
      }),
    },
    { inputs: { chat_history: ASKED }, outputs: { ...THOUGHT, tool_calls: [RAIN] } },
  ),
  call(
    'a list of answers of DSPy',
    { 'openinference.span.kind': 'LLM', 'output.value': '["Yes.","No."]' },
    { outputs: { ...ANSWERED, choices: [ANSWERED, { role: 'assistant', content: 'No.' }] } },
  ),
  call(
    'an answer of DSPy with its reasoning',
    {
      'openinference.span.kind': 'LLM',
      'output.value': json([{ text: 'Yes.', reasoning_content: 'Bergen is wet.' }]),
    },
    { outputs: THOUGHT },
  ),
  call(
    'a call of LlamaIndex, which is a task of a workflow',
    {
      ...{ 'traceloop.span.kind': 'task', 'llm.request.type': 'chat', 'gen_ai.request.model': 'gpt-4o' },
      ...{ 'llm.usage.prompt_tokens': 10, 'llm.usage.completion_tokens': 5 },
    },
    { event_type: 'model', metadata: { prompt_tokens: 10, completion_tokens: 5 } },
  ),
  call(
    'a retriever of MLflow',
    {
      ...{ 'mlflow.spanType': '"RETRIEVER"', 'mlflow.spanInputs': '"rain"' },
      'mlflow.spanOutputs': json([{ page_content: 'wet', id: 'd1' }]),
    },
    {
      ...{ event_type: 'tool', inputs: { query: 'rain' } },
      outputs: { documents: [{ page_content: 'wet', id: 'd1' }] },
    },
  ),
];
