import type { Vector } from './vectors.js';

const json = JSON.stringify;
const user = (content: unknown) => ({ role: 'user', content });
const responses = [
  { 'event.name': 'gen_ai.user.message', content: 'weather in Oslo?', role: 'user' },
  { 'event.name': 'gen_ai.assistant.message', content: 'Let me look.', role: 'assistant' },
  {
    'event.name': 'gen_ai.assistant.message',
    role: 'assistant',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
  },
];
const weather = { id: 'c1', name: 'weather', arguments: { city: 'Oslo' } };

/** Spans as clients send them, each with a value that used to be lost or stored in the wrong field. */
export const shippedClientVectors: Vector[] = [
  [
    'V51 LiteLLM: a function call beside a message with empty parts',
    [
      {
        name: 'litellm_request',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.input.messages': json([{ role: 'user', parts: [{ type: 'text', content: 'weather?' }] }]),
          'gen_ai.output.messages': json([{ role: 'assistant', parts: [], finish_reason: 'tool_calls' }]),
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.function_call.name': 'weather',
          'gen_ai.completion.0.function_call.arguments': '{"city":"Oslo"}',
        },
      },
    ],
    [
      {
        event_type: 'model',
        outputs: {
          role: 'assistant',
          content: null,
          tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
        },
        metadata: { 'gen_ai.output.messages': [{ finish_reason: 'tool_calls' }] },
      },
    ],
    'litellm',
  ],
  [
    'V52 Mastra: the question of an agent beside its instructions',
    [
      {
        name: 'invoke_agent helper',
        attributes: {
          'mastra.span.type': 'agent_run',
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.system_instructions': json([{ type: 'text', content: 'be brief' }]),
          'mastra.agent_run.input': json([{ role: 'user', content: 'why?' }]),
          'mastra.agent_run.output': json({ text: 'so', files: [] }),
        },
      },
    ],
    [
      {
        event_type: 'chain',
        inputs: { chat_history: [{ role: 'system', content: 'be brief' }, user('why?')] },
        outputs: { text: 'so' },
      },
    ],
    '@mastra/otel-exporter',
  ],
  [
    'V53 Logfire: the answer of the Responses API is at the end of the events',
    [
      {
        attributes: {
          'gen_ai.operation.name': 'chat',
          'logfire.msg': 'Responses API with gpt-4o',
          events: json(responses),
        },
      },
    ],
    [
      {
        event_type: 'model',
        inputs: { chat_history: [user('weather in Oslo?')] },
        outputs: { role: 'assistant', content: 'Let me look.', tool_calls: [weather] },
      },
    ],
    'logfire.openai',
  ],
  [
    'V54 LlamaIndex: bare texts in a chat history',
    [
      {
        attributes: {
          'openinference.span.kind': 'CHAIN',
          'input.mime_type': 'application/json',
          'input.value': json({ message: 'and now?', chat_history: ['user: hi', 'assistant: hello', 'why'] }),
        },
      },
    ],
    [
      {
        inputs: {
          message: 'and now?',
          chat_history: [user('user: hi'), { role: 'assistant', content: 'assistant: hello' }, user('why')],
        },
      },
    ],
    'openinference.instrumentation.llama_index',
  ],
  [
    'V55 Mastra: outputs of a generation, its session and its user',
    [
      {
        attributes: {
          'mastra.span.type': 'model_generation',
          'mastra.model_generation.output': json({
            text: 'it is cold',
            toolCalls: [{ toolCallId: 'c1', toolName: 'weather', args: { city: 'Oslo' } }],
            sources: ['a'],
          }),
          'mastra.metadata.sessionId': 'chat-1',
          'mastra.metadata.userId': 'u-1',
        },
      },
    ],
    [
      {
        event_type: 'model',
        outputs: { role: 'assistant', content: 'it is cold', tool_calls: [weather], sources: ['a'] },
        user_properties: { user_id: 'u-1' },
        metadata: { session_key: 'chat-1' },
      },
    ],
    '@mastra/otel-exporter',
  ],
  [
    'V56 Logfire: a function is a tool, and the text of its error is in an attribute',
    [
      {
        name: 'Function: {name}',
        status: { code: 2 },
        attributes: {
          'logfire.msg_template': 'Function: {name}',
          'logfire.msg': 'Function: weather',
          name: 'weather',
          input: '{"city":"Oslo"}',
          error: json({ message: 'no such city', data: { code: 'E7' } }),
        },
      },
    ],
    [
      {
        event_type: 'tool',
        error: 'no such city',
        inputs: { city: 'Oslo' },
        metadata: { error: json({ message: 'no such city', data: { code: 'E7' } }) },
      },
    ],
    'logfire.openai_agents',
  ],
  [
    'V57 Microsoft: a framework is not a provider',
    [
      {
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.provider.name': 'microsoft.agent_framework',
        },
      },
    ],
    [{ config: {}, metadata: { system: 'microsoft.agent_framework' } }],
    'agent_framework',
  ],
  [
    'V58 Google ADK: a placeholder of a tool call id is dropped',
    [
      {
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'f',
          'gen_ai.tool.call.id': '<not specified>',
        },
      },
    ],
    [{ event_type: 'tool', metadata: { tool_name: 'f' } }],
    'gcp.vertex.agent',
  ],
  [
    'V59 Claude Code: a redacted prompt is the input',
    [
      {
        name: 'claude_code.interaction',
        attributes: { 'span.type': 'interaction', user_prompt: '<REDACTED>', user_prompt_length: 12 },
      },
    ],
    [{ event_type: 'chain', inputs: { value: '<REDACTED>' }, metadata: { user_prompt_length: 12 } }],
    'com.anthropic.claude_code',
  ],
  [
    'V60 a rendered prompt beside its template',
    [
      {
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.prompt_template.template': 'Say hi to {name}',
          'llm.prompt_template.variables': '{"name":"Ann"}',
          'llm.prompts': ['Say hi to Ann'],
        },
      },
    ],
    [
      {
        config: { template: 'Say hi to {name}' },
        inputs: { variables: { name: 'Ann' }, chat_history: [user('Say hi to Ann')] },
      },
    ],
    'openinference.instrumentation.langchain',
  ],
  [
    'V60a the input of a prompt template beside its variables',
    [
      {
        name: 'ChatPromptTemplate',
        attributes: {
          'openinference.span.kind': 'CHAIN',
          'input.value': '{"topic": "cats", "history": ["Hello"]}',
          'input.mime_type': 'application/json',
          'llm.prompt_template.template': 'Tell me about {topic}',
          'llm.prompt_template.variables': '{"topic": "cats"}',
        },
      },
    ],
    [
      {
        config: { template: 'Tell me about {topic}' },
        inputs: { topic: 'cats', history: ['Hello'], variables: { topic: 'cats' } },
      },
    ],
    'openinference.instrumentation.langchain',
  ],
  [
    'V60b a bare input of a prompt template',
    [
      {
        name: 'PromptTemplate',
        attributes: {
          'openinference.span.kind': 'PROMPT',
          'input.value': 'cats',
          'llm.prompt_template.variables': '{"topic": "cats"}',
        },
      },
    ],
    [{ inputs: { value: 'cats', variables: { topic: 'cats' } } }],
    'openinference.instrumentation.langchain',
  ],
  [
    'V60c a model call without messages, with its template',
    [
      {
        attributes: {
          'openinference.span.kind': 'LLM',
          'input.value': 'Tell me about cats',
          'llm.prompt_template.variables': '{"topic": "cats"}',
        },
      },
    ],
    [{ inputs: { chat_history: [user('Tell me about cats')], variables: { topic: 'cats' } } }],
    'openinference.instrumentation.langchain',
  ],
  [
    'V61 a losing candidate that states another fact stays in the metadata',
    [
      {
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.input.messages': json([{ role: 'user', content: 'one' }]),
          'llm.input_messages.0.message.role': 'user',
          'llm.input_messages.0.message.content': 'two',
          'gen_ai.usage.input_tokens': 5,
          'llm.token_count.prompt': 7,
        },
      },
    ],
    [
      {
        inputs: { chat_history: [user('one')] },
        metadata: {
          prompt_tokens: 5,
          'llm.token_count.prompt': 7,
          'llm.input_messages.0.message.content': 'two',
        },
      },
    ],
  ],
];
