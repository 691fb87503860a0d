import { spanEventId, traceSessionId } from '@assay/domain';
import { PROJECT } from './map-one.js';
import { SPAN_ID as A, TRACE_ID } from './otlp-request.js';
import { below, type Vector } from './vectors.js';

const B = 'aaaaaaaaaaaaaaaa';
const C = 'bbbbbbbbbbbbbbbb';
const D = 'cccccccccccccccc';
const json = JSON.stringify;
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const chat = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.model': 'gpt-4o-2024-08-06',
  'gen_ai.request.temperature': 0.2,
  'gen_ai.request.max_tokens': 256,
  'gen_ai.usage.input_tokens': 20,
  'gen_ai.usage.output_tokens': 5,
  'gen_ai.response.finish_reasons': ['stop'],
};
const messages = [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }];
const answered = [{ role: 'assistant', parts: [{ type: 'text', content: 'hello' }], finish_reason: 'stop' }];
const chatEvent = {
  event_type: 'model',
  event_name: 'chat gpt-4o',
  config: { model: 'gpt-4o', provider: 'openai', temperature: 0.2, max_tokens: 256 },
  inputs: { chat_history: [user('hi')] },
  outputs: { ...assistant('hello'), finish_reason: 'stop' },
  metadata: {
    prompt_tokens: 20,
    completion_tokens: 5,
    total_tokens: 25,
    response_model: 'gpt-4o-2024-08-06',
  },
};
const named = { name: 'chat gpt-4o', kind: 3 };
const twelve = Array.from({ length: 12 }, (_, i) => `message ${i}`);
const llmKind = { 'openinference.span.kind': 'LLM' };

export const conventionVectors: Vector[] = [
  [
    'V01 a chat with messages as JSON text',
    [
      {
        ...named,
        attributes: {
          ...chat,
          'gen_ai.input.messages': json(messages),
          'gen_ai.output.messages': json(answered),
        },
      },
    ],
    [chatEvent],
  ],
  [
    'V02 a chat with messages as values',
    [
      {
        ...named,
        attributes: { ...chat, 'gen_ai.input.messages': messages, 'gen_ai.output.messages': answered },
      },
    ],
    [chatEvent],
  ],
  [
    'V03 system instructions and two answers',
    [
      {
        attributes: {
          ...chat,
          'gen_ai.system_instructions': json([{ type: 'text', content: 'be brief' }]),
          'gen_ai.input.messages': json(messages),
          'gen_ai.output.messages': json([
            ...answered,
            { role: 'assistant', parts: [{ type: 'text', content: 'hey' }] },
          ]),
        },
      },
    ],
    [
      {
        inputs: { chat_history: [{ role: 'system', content: 'be brief' }, user('hi')] },
        outputs: { content: 'hello', choices: [{ content: 'hello' }, { content: 'hey' }] },
      },
    ],
  ],
  [
    'V04 a history with a tool call and two results',
    [
      {
        attributes: {
          ...chat,
          'gen_ai.input.messages': json([
            ...messages,
            { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: { a: 1 } }] },
            {
              role: 'tool',
              parts: [
                { type: 'tool_call_response', id: 'c1', response: '12C' },
                { type: 'tool_call_response', id: 'c2', response: { t: 1 } },
              ],
            },
          ]),
        },
      },
    ],
    [
      {
        inputs: {
          chat_history: [
            user('hi'),
            { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] },
            { role: 'tool', content: '12C', tool_call_id: 'c1' },
            { role: 'tool', content: '{"t":1}', tool_call_id: 'c2' },
          ],
        },
      },
    ],
  ],
  [
    'V05 messages as span events, which are not kept twice',
    [
      {
        attributes: { 'gen_ai.operation.name': 'chat' },
        events: [
          { name: 'gen_ai.system.message', timeUnixNano: '1', attributes: { content: 'be brief' } },
          { name: 'gen_ai.user.message', timeUnixNano: '2', attributes: { content: 'hi' } },
          {
            name: 'gen_ai.choice',
            timeUnixNano: '3',
            attributes: { index: 0, finish_reason: 'stop', message: '{"content":"hello"}' },
          },
        ],
      },
    ],
    [
      {
        inputs: { chat_history: [{ role: 'system', content: 'be brief' }, user('hi')] },
        outputs: { ...assistant('hello'), finish_reason: 'stop' },
        metadata: { otel: expect.not.objectContaining({ events: expect.anything() as unknown }) as object },
      },
    ],
  ],
  [
    'V06 a prompt and a completion as span events',
    [
      {
        attributes: { 'gen_ai.operation.name': 'chat' },
        events: [
          { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': json([user('hi')]) } },
          {
            name: 'gen_ai.content.completion',
            attributes: { 'gen_ai.completion': json([assistant('hello')]) },
          },
        ],
      },
    ],
    [{ inputs: { chat_history: [user('hi')] }, outputs: assistant('hello') }],
  ],
  [
    'V07 content on the details event alone',
    [
      {
        attributes: chat,
        events: [
          {
            name: 'gen_ai.client.inference.operation.details',
            attributes: { 'gen_ai.input.messages': messages, 'gen_ai.output.messages': answered },
          },
        ],
      },
    ],
    [{ inputs: { chat_history: [user('hi')] }, outputs: { content: 'hello' } }],
  ],
  [
    'V08 a tool with arguments and a text as result',
    [
      {
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'get_weather',
          'gen_ai.tool.call.id': 'c1',
          'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
          'gen_ai.tool.call.result': '12C',
        },
      },
    ],
    [
      {
        event_type: 'tool',
        inputs: { city: 'Oslo' },
        outputs: { value: '12C' },
        metadata: { tool_name: 'get_weather', tool_call_id: 'c1' },
      },
    ],
  ],
  [
    'V09 an agent’s usage is a sum, apart from that of its chats',
    [
      {
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.usage.input_tokens': 100,
          'gen_ai.usage.output_tokens': 20,
        },
      },
      below(A, B, 'chat', { ...chat, 'gen_ai.usage.input_tokens': 60, 'gen_ai.usage.output_tokens': 10 }),
      below(A, C, 'chat', { ...chat, 'gen_ai.usage.input_tokens': 40, 'gen_ai.usage.output_tokens': 10 }),
    ],
    [
      {
        event_type: 'chain',
        metadata: { aggregate_usage: { prompt_tokens: 100, completion_tokens: 20 } },
      },
      { metadata: { prompt_tokens: 60, completion_tokens: 10 } },
      { metadata: { prompt_tokens: 40, completion_tokens: 10 } },
    ],
  ],
  [
    'V10 both sides of an MCP call are tools, one below the other, and in no session of the transport',
    [
      {
        name: 'tools/call add',
        kind: 3,
        attributes: { 'mcp.method.name': 'tools/call', 'mcp.session.id': 'abc' },
      },
      {
        ...below(A, B, 'tools/call add', { 'mcp.method.name': 'tools/call', 'mcp.session.id': 'abc' }),
        kind: 2,
      },
    ],
    [
      { event_type: 'tool', session_id: traceSessionId(PROJECT, TRACE_ID) },
      {
        event_type: 'tool',
        parent_id: spanEventId(PROJECT, TRACE_ID, A),
        session_id: traceSessionId(PROJECT, TRACE_ID),
      },
    ],
  ],
  [
    'V11 embeddings are a model',
    [
      {
        attributes: {
          'gen_ai.operation.name': 'embeddings',
          'gen_ai.request.model': 'e-3',
          'gen_ai.usage.input_tokens': 8,
        },
      },
    ],
    [{ event_type: 'model', config: { model: 'e-3' }, metadata: { prompt_tokens: 8 } }],
  ],
  [
    'V12 an OpenInference model with flat parameters',
    [
      {
        attributes: {
          ...llmKind,
          'llm.provider': 'openai',
          'llm.input_messages.0.message.role': 'system',
          'llm.input_messages.0.message.content': 'be brief',
          'llm.input_messages.1.message.role': 'user',
          'llm.input_messages.1.message.content': 'hi',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.content': 'hello',
          'llm.invocation_parameters': '{"temperature":0.7,"top_p":1}',
          'llm.token_count.prompt': 30,
          'llm.token_count.completion': 12,
          'llm.token_count.total': 42,
        },
      },
    ],
    [
      {
        event_type: 'model',
        config: { provider: 'openai', temperature: 0.7, top_p: 1 },
        inputs: { chat_history: [{ role: 'system', content: 'be brief' }, user('hi')] },
        outputs: assistant('hello'),
        metadata: { span_kind: 'LLM', prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 },
      },
    ],
  ],
  [
    'V13 twelve messages in any order of attributes',
    [
      {
        attributes: Object.fromEntries(
          [7, 11, 0, 10, 3, 1, 9, 2, 8, 4, 6, 5].map((i) => [
            `llm.input_messages.${i}.message.content`,
            twelve[i],
          ]),
        ),
      },
    ],
    [{ inputs: { chat_history: twelve.map(user) } }],
  ],
  [
    'V14 a text completion',
    [
      {
        attributes: {
          ...llmKind,
          'llm.prompts.0.prompt.text': 'Once',
          'llm.choices.0.completion.text': 'upon',
        },
      },
    ],
    [{ inputs: { chat_history: [user('Once')] }, outputs: assistant('upon') }],
  ],
  [
    'V15 a retriever with two documents',
    [
      {
        attributes: {
          'openinference.span.kind': 'RETRIEVER',
          'input.value': 'which city',
          'retrieval.documents.0.document.content': 'Oslo',
          'retrieval.documents.0.document.score': '0.9',
          'retrieval.documents.0.document.metadata': '{"page":1}',
          'retrieval.documents.1.document.content': 'Rome',
          'retrieval.documents.1.document.score': 0.5,
        },
      },
    ],
    [
      {
        event_type: 'tool',
        inputs: { query: 'which city' },
        outputs: {
          documents: [
            { content: 'Oslo', score: 0.9, metadata: { page: 1 } },
            { content: 'Rome', score: 0.5 },
          ],
        },
      },
    ],
  ],
  [
    'V16 guardrails and evaluators are tools',
    [
      { attributes: { 'openinference.span.kind': 'GUARDRAIL' } },
      { spanId: B, attributes: { 'openinference.span.kind': 'EVALUATOR' } },
    ],
    [{ event_type: 'tool' }, { event_type: 'tool' }],
  ],
  [
    'V17 metadata that is broken JSON stays text',
    [{ attributes: { ...llmKind, metadata: '{"tier":"pro"' } }],
    [{ metadata: { metadata: '{"tier":"pro"' } }],
  ],
  [
    'V18 an OpenLLMetry chat in the old names',
    [
      {
        name: 'openai.chat',
        attributes: {
          'llm.request.type': 'chat',
          'gen_ai.system': 'OpenAI',
          'gen_ai.prompt.0.role': 'system',
          'gen_ai.prompt.0.content': 'be brief',
          'gen_ai.prompt.1.role': 'user',
          'gen_ai.prompt.1.content': 'hi',
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.content': 'hello',
          'gen_ai.usage.prompt_tokens': 20,
          'gen_ai.usage.completion_tokens': 5,
          'llm.usage.total_tokens': 25,
        },
      },
    ],
    [
      {
        event_type: 'model',
        config: { provider: 'openai' },
        inputs: { chat_history: [{ role: 'system', content: 'be brief' }, user('hi')] },
        outputs: assistant('hello'),
        metadata: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
      },
    ],
  ],
  [
    'V19 OpenLLMetry tool calls and tools',
    [
      {
        attributes: {
          'llm.request.type': 'chat',
          'llm.request.functions.0.name': 'f',
          'llm.request.functions.0.parameters': '{"type":"object"}',
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.tool_calls.0.id': 'c1',
          'gen_ai.completion.0.tool_calls.0.name': 'f',
          'gen_ai.completion.0.tool_calls.0.arguments': '{"a":1}',
        },
      },
    ],
    [
      {
        outputs: { tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] },
        config: { tools: [{ name: 'f', parameters: { type: 'object' } }] },
      },
    ],
  ],
  [
    'V20 a workflow and its task, whose input is cut off',
    [
      { name: 'joke.workflow', attributes: { 'traceloop.span.kind': 'workflow' } },
      below(A, B, 'create.task', {
        'traceloop.span.kind': 'task',
        'traceloop.entity.input': '{"inputs":{"topic":"opentel',
      }),
    ],
    [{ event_type: 'chain' }, { event_type: 'chain', inputs: { value: '{"inputs":{"topic":"opentel' } }],
  ],
  [
    'V21 the outer span of a generated text is a step, the inner one the model',
    [
      {
        name: 'ai.generateText',
        attributes: {
          'ai.operationId': 'ai.generateText',
          'ai.usage.promptTokens': 10,
          'ai.usage.completionTokens': 3,
        },
      },
      below(A, B, 'ai.generateText.doGenerate', {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.usage.promptTokens': 10,
        'ai.usage.completionTokens': 3,
      }),
    ],
    [
      { event_type: 'chain', metadata: { aggregate_usage: { prompt_tokens: 10, completion_tokens: 3 } } },
      { event_type: 'model', metadata: { prompt_tokens: 10, completion_tokens: 3 } },
    ],
  ],
  [
    'V22 an object that a model makes',
    [{ attributes: { 'ai.operationId': 'ai.streamObject.doStream', 'ai.response.object': '{"a":1}' } }],
    [{ event_type: 'model', outputs: { object: { a: 1 } } }],
  ],
  [
    'V23 an agent, its step, the model and the tool',
    [
      { name: 'invoke_agent m', attributes: { 'gen_ai.operation.name': 'invoke_agent' } },
      below(A, B, 'step 1', { 'gen_ai.operation.name': 'agent_step' }),
      below(B, C, 'chat m', { 'gen_ai.operation.name': 'chat' }),
      below(B, D, 'execute_tool f', { 'gen_ai.operation.name': 'execute_tool' }),
    ],
    [
      { event_type: 'chain' },
      { event_type: 'chain' },
      { event_type: 'model' },
      { event_type: 'tool', parent_id: spanEventId(PROJECT, TRACE_ID, B) },
    ],
    'gen_ai',
  ],
];
