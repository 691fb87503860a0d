import { call, type ProgramVector } from '../arrival.js';

const json = JSON.stringify;
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' };
const message = (type: string, kwargs: object) => ({
  ...{ lc: 1, type: 'constructor', id: ['langchain', 'schema', 'messages', type] },
  kwargs,
});
const constructed = (type: string, kwargs: object) => ({
  ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', type] },
  kwargs: { ...kwargs, additional_kwargs: {}, response_metadata: {} },
});
const RAIN_CALL = { name: 'rain', args: { city: 'Oslo' }, id: 'call_1', type: 'tool_call' };
const INPUT = 'llm.input_messages.';
const OUTPUT = 'llm.output_messages.0.message.';
const THOUGHT = { thought: true, text: 'Bergen is wet.' };
const CUT = json([
  { role: 'system', parts: [{ type: 'text', content: 'Sell shoes.' }] },
  { role: 'user', parts: [{ type: 'text', content: `Any boots? ${'Please. '.repeat(50)}` }] },
]).slice(0, 200);

/** Messages in the forms of libraries. */
export const messageVectors: readonly ProgramVector[] = [
  call(
    'an object that is no message is the input and the output',
    {
      ...{ 'langsmith.span.kind': 'chain', 'gen_ai.prompt': json({ topic: 'rain' }) },
      'gen_ai.completion': json({ poem: 'drip' }),
    },
    { event_type: 'chain', inputs: { topic: 'rain' }, outputs: { poem: 'drip' } },
  ),
  call(
    'an object that is no message, on a tool',
    {
      'openinference.span.kind': 'TOOL',
      'input.value': json({ city: 'Bergen' }),
      'output.value': json({ mm: 9 }),
    },
    { event_type: 'tool', inputs: { city: 'Bergen' }, outputs: { mm: 9 } },
  ),
  call(
    'constructors and generations of LangChain are messages',
    {
      ...{ 'langsmith.span.kind': 'llm', 'gen_ai.request.model': 'gpt-4o' },
      'gen_ai.prompt': json({ messages: [[message('HumanMessage', { content: 'Rain?', type: 'human' })]] }),
      'gen_ai.completion': json({
        generations: [[{ text: 'Yes.', message: message('AIMessage', { content: 'Yes.', type: 'ai' }) }]],
      }),
    },
    {
      ...{ event_type: 'model', inputs: { chat_history: [{ role: 'user', content: 'Rain?' }] } },
      outputs: { role: 'assistant', content: 'Yes.' },
    },
  ),
  call(
    'messages flattened without parts and ids are completed from the whole input and output',
    {
      ...{ 'openinference.span.kind': 'LLM', 'llm.model_name': 'gpt-4o' },
      'input.value': json({
        messages: [
          [
            constructed('SystemMessage', { content: [{ type: 'text', text: 'Be brief.' }] }),
            constructed('HumanMessage', { content: 'Rain in Oslo?' }),
            constructed('AIMessage', { content: '', tool_calls: [RAIN_CALL] }),
            constructed('ToolMessage', { content: '9 mm', tool_call_id: 'call_1', name: 'rain' }),
          ],
        ],
      }),
      'input.mime_type': 'application/json',
      'output.value': json({
        generations: [[{ text: '', message: constructed('AIMessage', { tool_calls: [RAIN_CALL] }) }]],
      }),
      'output.mime_type': 'application/json',
      [`${INPUT}0.message.role`]: 'system',
      [`${INPUT}1.message.role`]: 'user',
      [`${INPUT}1.message.content`]: 'Rain in Oslo?',
      [`${INPUT}2.message.role`]: 'assistant',
      [`${INPUT}2.message.content`]: '',
      [`${INPUT}2.message.tool_calls.0.tool_call.function.name`]: 'rain',
      [`${INPUT}2.message.tool_calls.0.tool_call.function.arguments`]: '{"city":"Oslo"}',
      [`${INPUT}3.message.role`]: 'tool',
      [`${INPUT}3.message.content`]: '9 mm',
      [`${OUTPUT}role`]: 'assistant',
      [`${OUTPUT}content`]: '',
      [`${OUTPUT}tool_calls.0.tool_call.function.name`]: 'rain',
      [`${OUTPUT}tool_calls.0.tool_call.function.arguments`]: '{"city":"Oslo"}',
    },
    {
      inputs: {
        chat_history: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Rain in Oslo?' },
          { role: 'assistant', tool_calls: [{ id: 'call_1', name: 'rain', arguments: { city: 'Oslo' } }] },
          { role: 'tool', content: '9 mm', tool_call_id: 'call_1', name: 'rain' },
        ],
      },
      outputs: { tool_calls: [{ id: 'call_1', name: 'rain', arguments: { city: 'Oslo' } }] },
    },
  ),
  call(
    'messages of which the roles differ are not completed from each other',
    {
      ...{ 'openinference.span.kind': 'LLM', 'input.mime_type': 'application/json' },
      'input.value': json({
        messages: [
          { role: 'user', content: 'a' },
          { role: 'user', content: 'b' },
        ],
      }),
      [`${INPUT}0.message.role`]: 'system',
      [`${INPUT}1.message.role`]: 'user',
      [`${INPUT}1.message.content`]: 'c',
    },
    {
      inputs: {
        chat_history: [
          { role: 'system', content: null },
          { role: 'user', content: 'c' },
        ],
      },
    },
  ),
  call(
    'the text of a message is its content',
    {
      'gen_ai.span.kind': 'LLM',
      'gen_ai.prompt': json([{ role: 'user', text: 'Rain?' }]),
      'gen_ai.completion': 'Yes.',
    },
    { inputs: { chat_history: [{ role: 'user', content: 'Rain?' }] }, outputs: { content: 'Yes.' } },
  ),
  call(
    'a tool call among ordered parts and among tool calls is one',
    {
      ...{
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'claude-sonnet-4-5',
        [`${OUTPUT}role`]: 'assistant',
      },
      [`${OUTPUT}contents.0.message_content.type`]: 'text',
      [`${OUTPUT}contents.0.message_content.text`]: 'A moment.',
      [`${OUTPUT}contents.1.message_content.type`]: 'tool_use',
      [`${OUTPUT}contents.1.tool_call.id`]: 'tu_9',
      [`${OUTPUT}contents.1.tool_call.function.name`]: 'look',
      [`${OUTPUT}tool_calls.0.tool_call.id`]: 'tu_9',
      [`${OUTPUT}tool_calls.0.tool_call.function.name`]: 'look',
      [`${OUTPUT}tool_calls.0.tool_call.function.arguments`]: '{"at":"sky"}',
      [`${OUTPUT}tool_calls.0.tool_call.reasoning_signature`]: 'sig',
    },
    {
      outputs: {
        content: 'A moment.',
        tool_calls: [expect.objectContaining({ id: 'tu_9', name: 'look', arguments: { at: 'sky' } })],
      },
    },
  ),
  call(
    'thoughts of Gemini in content and history',
    {
      ...{ 'gen_ai.system': 'gcp.vertex.agent', 'gen_ai.request.model': 'gemini-2.5-flash' },
      'gcp.vertex.agent.llm_request': json({
        contents: [
          { role: 'user', parts: [{ text: 'Rain?' }] },
          { role: 'model', parts: [{ thought: true, text: 'An old one.' }, { text: 'Maybe.' }] },
        ],
      }),
      'gcp.vertex.agent.llm_response': json({
        content: { role: 'model', parts: [THOUGHT, { text: 'Yes.' }] },
      }),
    },
    {
      inputs: {
        chat_history: [{ role: 'user' }, { role: 'assistant', content: 'Maybe.', reasoning: 'An old one.' }],
      },
      outputs: { content: 'Yes.', reasoning: 'Bergen is wet.' },
    },
  ),
  call(
    'thoughts of Gemini in GenAI messages',
    {
      ...CHAT,
      'gen_ai.output.messages': json([
        { role: 'model', parts: [THOUGHT, { text: 'Yes.', thoughtSignature: 's' }] },
      ]),
    },
    { outputs: { content: 'Yes.', reasoning: 'Bergen is wet.' } },
  ),
  call(
    'thoughts of Gemini as Langfuse sends them',
    {
      ...{ 'langfuse.observation.type': 'generation', 'langfuse.observation.model.name': 'gemini-2.5-flash' },
      'langfuse.observation.output': json({ role: 'model', parts: [THOUGHT, { text: 'Yes.' }] }),
    },
    { outputs: { content: 'Yes.', reasoning: 'Bergen is wet.' } },
  ),
  call(
    'thoughts of Gemini in a streamed response',
    {
      ...{ 'langfuse.observation.type': 'generation', 'langfuse.observation.model.name': 'gemini-2.5-flash' },
      'langfuse.observation.output': json([
        { candidates: [{ content: { role: 'model', parts: [{ thought: true, text: 'Bergen ' }] } }] },
        { candidates: [{ content: { role: 'model', parts: [{ thought: true, text: 'is wet.' }] } }] },
        { candidates: [{ content: { role: 'model', parts: [{ text: 'Ye' }] } }], modelVersion: 'v-1' },
        { candidates: [{ content: { role: 'model', parts: [{ text: 's.' }] }, finishReason: 'STOP' }] },
      ]),
    },
    {
      outputs: {
        ...{ role: 'assistant', content: 'Yes.', reasoning: 'Bergen is wet.', finish_reason: 'STOP' },
        details: [{ chunks: [{ modelVersion: 'v-1' }] }],
      },
    },
  ),
  call(
    'tools that the server of the model runs',
    {
      ...CHAT,
      'gen_ai.output.messages': json([
        {
          role: 'assistant',
          parts: [
            { type: 'server_tool_call', id: 's1', name: 'search', server_tool_call: { query: 'rain' } },
            { type: 'server_tool_call_response', id: 's1', server_tool_call_response: { hits: ['wet'] } },
            { type: 'text', content: 'Yes.' },
          ],
        },
      ]),
    },
    {
      outputs: expect.objectContaining({
        content: 'Yes.',
        chat_history: expect.arrayContaining([
          expect.objectContaining({
            tool_calls: [expect.objectContaining({ id: 's1', name: 'search', arguments: { query: 'rain' } })],
          }),
          expect.objectContaining({ role: 'tool', tool_call_id: 's1', content: '{"hits":["wet"]}' }),
        ]) as unknown,
      }) as object,
    },
  ),
  call(
    'messages that were cut at a length limit',
    { ...CHAT, 'gen_ai.input.messages': CUT },
    {
      inputs: { chat_history: [{ role: 'system', content: 'Sell shoes.' }] },
      metadata: {
        truncated: ['gen_ai.input.messages'],
        'gen_ai.input.messages': expect.stringContaining('Any boots?') as string,
      },
    },
  ),
  call(
    'images as bytes of an object',
    {
      ...{ 'ai.operationId': 'ai.generateText', 'ai.model.id': 'gpt-4o' },
      'ai.prompt': json({
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', image: { 0: 137, 1: 80, 2: 78, 3: 71, 4: 13, 5: 10, 6: 26, 7: 10 } }],
          },
        ],
      }),
    },
    {
      inputs: {
        chat_history: [{ role: 'user', content: [{ url: 'data:image/png;base64,iVBORw0KGgo=' }] }],
      },
    },
  ),
];
