import { sessionIdOf } from '@assay/domain';
import { mapAttributes, mapOne, mapSpans, PROJECT, valueAt } from '../../test/map-one.js';
import { spanJson, requestJson, jsonBody } from '../../test/otlp-request.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { decodeTraces } from '../codec/decode-traces.js';
import { toEvents } from '../to-events.js';
import { claudeCode } from './claude-code.js';
import { googleAdk } from './google-adk.js';
import { litellm } from './litellm.js';
import { ag2 } from './ag2.js';
import { crewAi } from './crewai.js';
import { flue } from './flue.js';
import { genkit } from './genkit.js';
import { liveKit } from './livekit.js';
import { mastra } from './mastra.js';
import { mlflow } from './mlflow.js';
import { opik } from './opik.js';
import type { Convention } from './rule.js';
import { strands } from './strands.js';

const text = (key: string, path: string): TableCase => [key, 'some text', path, 'some text'];
const count = (key: string, path: string): TableCase => [key, 7, path, 7];
const session = sessionIdOf(PROJECT, 's1');

const request = {
  model: 'gemini',
  config: { temperature: 0.5, system_instruction: 'be brief', tools: [{ name: 'f' }] },
  contents: [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [{ function_call: { id: 'c', name: 'f', args: { a: 1 } } }] },
    { role: 'user', parts: [{ function_response: { id: 'c', name: 'f', response: { ok: true } } }] },
  ],
};
const response = {
  content: { role: 'model', parts: [{ text: 'yo' }] },
  finish_reason: 'STOP',
  usage_metadata: {
    prompt_token_count: 10,
    candidates_token_count: 3,
    thoughts_token_count: 2,
    total_token_count: 15,
  },
};

const tables: [Convention, Record<string, unknown>, TableCase[]][] = [
  [
    strands,
    { 'gen_ai.operation.name': 'chat' },
    [
      text('event_loop.cycle_id', 'metadata.event_loop_cycle_id'),
      ['gen_ai.server.time_to_first_token', 250, 'metadata.time_to_first_token_ms', 250],
      ['gen_ai.server.request.duration', 300, 'metadata.server_request_duration_ms', 300],
      ['gen_ai.server.time_to_first_token', 0.25, 'metadata.time_to_first_token_ms', 250],
      ['gen_ai.agent.tools', '["f"]', 'config.tools', ['f']],
      [
        'gen_ai.agent.system_prompt',
        'be brief',
        'inputs.chat_history',
        [{ role: 'system', content: 'be brief' }],
      ],
      ['system_prompt', 'be brief', 'inputs.chat_history', [{ role: 'system', content: 'be brief' }]],
      ['gen_ai.tool.status', 'error', 'error', 'error'],
      ['gen_ai.tool.status', 'success', 'metadata.tool_status', 'success'],
    ],
  ],
  [
    googleAdk,
    { 'gcp.vertex.agent.event_id': 'e' },
    [
      [
        'gcp.vertex.agent.llm_request',
        JSON.stringify(request),
        'config',
        { model: 'gemini', temperature: 0.5, tools: [{ name: 'f' }] },
      ],
      ['gcp.vertex.agent.llm_request', JSON.stringify(request), 'event_type', 'model'],
      [
        'gcp.vertex.agent.llm_request',
        JSON.stringify(request),
        'inputs.chat_history',
        [
          { role: 'system', content: 'be brief' },
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: null, tool_calls: [{ id: 'c', name: 'f', arguments: { a: 1 } }] },
          { role: 'tool', content: '{"ok":true}', name: 'f', tool_call_id: 'c' },
        ],
      ],
      [
        'gcp.vertex.agent.llm_response',
        JSON.stringify(response),
        'outputs',
        { role: 'assistant', content: 'yo', finish_reason: 'STOP' },
      ],
      ['gcp.vertex.agent.tool_call_args', '{"a":1}', 'inputs', { a: 1 }],
      ['gcp.vertex.agent.tool_call_args', '{"a":1}', 'event_type', 'tool'],
      ['gcp.vertex.agent.tool_response', '{"b":1}', 'outputs', { b: 1 }],
      ['gcp.vertex.agent.tool_response', '"pro"', 'outputs', { value: 'pro' }],
      ['gcp.vertex.agent.session_id', 's1', 'session_id', session],
    ],
  ],
  [
    claudeCode,
    { 'span.type': 'llm_request' },
    [
      ['span.type', 'tool', 'metadata.span_type', 'tool'],
      text('model', 'config.model'),
      count('input_tokens', 'metadata.prompt_tokens'),
      count('output_tokens', 'metadata.completion_tokens'),
      count('cache_read_tokens', 'metadata.cache_read_input_tokens'),
      count('cache_creation_tokens', 'metadata.cache_creation_input_tokens'),
      count('ttft_ms', 'metadata.time_to_first_token_ms'),
      ['stop_reason', 'end_turn', 'metadata.finish_reasons', ['end_turn']],
      text('request_id', 'metadata.request_id'),
      ['success', false, 'error', 'error'],
      ['success', 'true', 'error', null],
      ['error', 'overloaded', 'metadata.error', 'overloaded'],
      text('tool_name', 'metadata.tool_name'),
      text('tool_use_id', 'metadata.tool_call_id'),
      text('file_path', 'inputs.file_path'),
      text('full_command', 'inputs.full_command'),
      ['user_prompt', 'why?', 'inputs.chat_history', [{ role: 'user', content: 'why?' }]],
      ['user_prompt', '<REDACTED>', 'inputs', { chat_history: [{ role: 'user', content: '<REDACTED>' }] }],
      text('agent_id', 'metadata.agent_id'),
    ],
  ],
  [
    litellm,
    { 'gen_ai.operation.name': 'acompletion', hidden_params: '{}' },
    [
      ['gen_ai.cost.total_cost', 0.5, 'metadata.cost', 0.5],
      ['gen_ai.cost.input_cost', 0.5, 'metadata.cost_details', { prompt: 0.5 }],
      ['gen_ai.cost.output_cost', 0.5, 'metadata.cost_details', { completion: 0.5 }],
      ['metadata.usage_object', '{"prompt_tokens":5}', 'metadata.prompt_tokens', 5],
      ['metadata.user_api_key_alias', 'team', 'metadata.metadata.user_api_key_alias', 'team'],
      ['metadata.user_api_key_alias', 'None', 'metadata.metadata.user_api_key_alias', undefined],
    ],
  ],
  [
    mastra,
    {},
    [
      ['mastra.span.type', 'model_generation', 'event_type', 'model'],
      ['mastra.agent_run.input', '{"q":1}', 'inputs', { q: 1 }],
      ['mastra.agent_run.output', '{"a":1}', 'outputs', { a: 1 }],
      ['mastra.agent_run.max_steps', 5, 'metadata.mastra.agent_run.max_steps', 5],
      ['mastra.input', '{"q":1}', 'inputs', { q: 1 }],
      ['mastra.output', '{"a":1}', 'outputs', { a: 1 }],
      ['mastra.metadata.sessionId', 's-1', 'metadata.session_key', 's-1'],
      ['mastra.metadata.threadId', 't-1', 'metadata.session_key', 't-1'],
      ['mastra.metadata.userId', 'u-1', 'user_properties', { user_id: 'u-1' }],
      ['mastra.metadata.resourceId', 'u-1', 'user_properties', { user_id: 'u-1' }],
      ['mastra.metadata.tier', 'pro', 'metadata.tier', 'pro'],
      ['mastra.tags', '["a","b"]', 'metadata.tags', ['a', 'b']],
      ['gen_ai.response.finish_reasons', '["stop"]', 'metadata.finish_reasons', ['stop']],
    ],
  ],
  [ag2, {}, [['ag2.span.type', 'llm', 'event_type', 'model']]],
  [
    genkit,
    {},
    [
      ['genkit:metadata:subtype', 'retriever', 'event_type', 'tool'],
      ['genkit:input', '{"q":1}', 'inputs', { q: 1 }],
      ['genkit:output', '{"a":1}', 'outputs', { a: 1 }],
      ['genkit:output', '"pro"', 'outputs', { value: 'pro' }],
      text('genkit:name', 'metadata.entity_name'),
      ['genkit:state', 'error', 'error', 'error'],
    ],
  ],
  [
    mlflow,
    {},
    [
      ['mlflow.spanType', '"CHAT_MODEL"', 'event_type', 'model'],
      ['mlflow.llm.model', '"gpt-4o"', 'config.model', 'gpt-4o'],
      ['mlflow.llm.provider', '"openai"', 'config.provider', 'openai'],
      ['mlflow.chat.tools', '[{"name":"f"}]', 'config.tools', [{ name: 'f' }]],
      [
        'mlflow.llm.cost',
        '{"input_cost":0.1,"output_cost":0.2,"total_cost":0.3,"fee":1}',
        'metadata.aggregate_usage',
        { cost: 0.3, cost_details: { prompt: 0.1, completion: 0.2, fee: 1 } },
      ],
      ['mlflow.spanOutputs', '"a text"', 'outputs', { value: 'a text' }],
      ['mlflow.spanInputs', '{"q":1}', 'inputs', { q: 1 }],
      ['mlflow.spanOutputs', '{"a":1}', 'outputs', { a: 1 }],
      [
        'mlflow.chat.tokenUsage',
        '{"input_tokens":5,"output_tokens":2,"total_tokens":7}',
        'metadata.aggregate_usage',
        { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      ],
      ['mlflow.trace.session', '"s1"', 'session_id', session],
      ['mlflow.trace.user', '"u1"', 'user_properties.user_id', 'u1'],
    ],
  ],
  [
    liveKit,
    {},
    [
      ['lk.input_text', 'hi', 'inputs', { value: 'hi' }],
      ['lk.user_transcript', 'hi', 'inputs', { value: 'hi' }],
      ['lk.user_input', 'hi', 'inputs', { value: 'hi' }],
      [
        'lk.chat_ctx',
        '[{"role":"user","content":"hi"}]',
        'inputs.chat_history',
        [{ role: 'user', content: 'hi' }],
      ],
      ['lk.function_tool.output', '{"a":1}', 'outputs', { a: 1 }],
      ['lk.response.text', 'yo', 'outputs.content', 'yo'],
    ],
  ],
  [
    opik,
    {},
    [
      ['opik.tags', '["a"]', 'metadata.tags', ['a']],
      ['opik.thread_id', 's1', 'session_id', session],
      ['opik.metadata.tier', 'pro', 'metadata.tier', 'pro'],
    ],
  ],
  [
    crewAi,
    {},
    [
      ['gen_ai.task.input', '{"q":1}', 'inputs', { q: 1 }],
      ['gen_ai.task.output', 'done', 'outputs', { value: 'done' }],
      text('gen_ai.task.id', 'metadata.task_id'),
      text('gen_ai.task.name', 'metadata.task_name'),
      text('gen_ai.task.status', 'metadata.task_status'),
      text('gen_ai.task.kind', 'metadata.task_kind'),
    ],
  ],
  [
    flue,
    {},
    [
      ['flue.tool.name', 'f', 'event_type', 'tool'],
      ['flue.tool.name', 'f', 'metadata.flue.tool.name', 'f'],
      ['flue.task.name', 't', 'event_type', 'chain'],
    ],
  ],
];

describe.each(
  tables.map(([convention, common, cases]) => ({ title: convention.title, convention, common, cases })),
)('attributes of $title', ({ convention, common, cases }) => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ ...common, [key]: value }), path)).toEqual(expected);
  });

  it('has a test case for every attribute', () => expect(untestedKeys(convention, cases)).toEqual([]));
});

describe('spans of Strands', () => {
  it('of a cycle are chains, and the framework is not the provider', () => {
    const event = mapAttributes({
      'event_loop.cycle_id': 'c',
      'gen_ai.system': 'strands-agents',
      'gen_ai.request.model': 'm',
    });
    expect(event).toMatchObject({ event_type: 'chain', metadata: { system: 'strands-agents' } });
    expect(event.config).toEqual({ model: 'm', framework: 'strands-agents' });
  });

  it('of a tool have their inputs and outputs in events', () => {
    const event = mapOne({
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f' },
      events: [
        { name: 'gen_ai.tool.message', attributes: { role: 'tool', content: '{"city":"Oslo"}', id: 't1' } },
        { name: 'gen_ai.choice', attributes: { message: '[{"text":"12C"}]', id: 't1' } },
      ],
    });
    expect(event).toMatchObject({ inputs: { city: 'Oslo' }, outputs: { value: '12C' } });
  });

  it('of a tool in the latest form have a call and its response', () => {
    const details = 'gen_ai.client.inference.operation.details';
    const call = [
      { role: 'tool', parts: [{ type: 'tool_call', id: 't1', name: 'f', arguments: { city: 'Oslo' } }] },
    ];
    const response = [{ role: 'tool', parts: [{ type: 'tool_call_response', id: 't1', response: '12C' }] }];
    const event = mapOne({
      attributes: { 'gen_ai.operation.name': 'execute_tool' },
      events: [
        { name: details, attributes: { 'gen_ai.input.messages': call } },
        { name: details, attributes: { 'gen_ai.output.messages': response } },
      ],
    });
    expect(event).toMatchObject({ inputs: { city: 'Oslo' }, outputs: { value: '12C' } });
  });

  it('count both names of the same number once', () => {
    const { metadata } = mapAttributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.prompt_tokens': 20,
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.total_tokens': 125,
      'gen_ai.usage.cache_read_input_tokens': 90,
      'gen_ai.usage.cache_write_input_tokens': 10,
    });
    expect(metadata).toMatchObject({
      prompt_tokens: 120,
      completion_tokens: 5,
      total_tokens: 125,
      cache_creation_input_tokens: 10,
    });
  });
});

describe('spans of the Agent Development Kit', () => {
  it('count thoughts among the completion', () => {
    const attributes = {
      'gcp.vertex.agent.llm_request': JSON.stringify(request),
      'gcp.vertex.agent.llm_response': JSON.stringify(response),
    };
    expect(mapAttributes({ ...attributes, 'gen_ai.system': 'gcp.vertex.agent' })).toMatchObject({
      config: { provider: 'gcp.vertex_ai' },
      metadata: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        reasoning_tokens: 2,
        system: 'gcp.vertex.agent',
      },
    });
  });

  it('of a tool carry empty requests', () => {
    const event = mapAttributes({
      'gcp.vertex.agent.llm_request': '{}',
      'gcp.vertex.agent.llm_response': '{}',
      'gcp.vertex.agent.tool_call_args': '{"a":1}',
      'gcp.vertex.agent.tool_response': '<not specified>',
    });
    expect(event).toMatchObject({ event_type: 'tool', inputs: { a: 1 }, outputs: {} });
  });
});

describe('spans of Claude Code', () => {
  it('count cached tokens beside the input', () => {
    const attributes = {
      input_tokens: 3,
      cache_read_tokens: 12_000,
      cache_creation_tokens: 500,
      output_tokens: 40,
    };
    const event = mapOne({ name: 'claude_code.llm_request', attributes });
    expect(event).toMatchObject({
      event_type: 'model',
      metadata: { prompt_tokens: 12_503, total_tokens: 12_543 },
    });
  });

  it('that stand for a step within a tool are steps', () => {
    expect(mapOne({ name: 'claude_code.tool.execution' }).event_type).toBe('chain');
    expect(mapAttributes({ 'span.type': 'hook' }).event_type).toBe('chain');
  });
});

describe('spans of LiteLLM', () => {
  it.each([
    ['litellm_request', 'model'],
    ['raw_gen_ai_request', 'chain'],
    ['Received Proxy Server Request', 'chain'],
  ])('%s is a %s, and only a model is counted', (name, type) => {
    const attributes = { 'gen_ai.operation.name': 'acompletion', 'gen_ai.usage.input_tokens': 5 };
    const event = mapOne({ name, attributes });
    expect(event.event_type).toBe(type);
    expect(event.metadata['prompt_tokens']).toBe(type === 'model' ? 5 : undefined);
  });
});

describe('usage objects of LiteLLM', () => {
  it.each([
    "{'completion_tokens': 57, 'prompt_tokens': 1234, 'total_tokens': 1291, 'completion_tokens_details': {'audio_tokens': 0, 'reasoning_tokens': 16}, 'prompt_tokens_details': {'audio_tokens': None, 'cached_tokens': 1024}}",
    '{"completion_tokens": 57, "prompt_tokens": 1234, "total_tokens": 1291, "completion_tokens_details": {"reasoning_tokens": 16}, "prompt_tokens_details": {"cached_tokens": 1024}}',
  ])('are read as Python and as JSON: %s', (usage) => {
    const { metadata } = mapOne({
      name: 'litellm_request',
      attributes: { 'llm.request.type': 'completion', 'metadata.usage_object': usage },
    });
    expect(metadata).toMatchObject({
      ...{ prompt_tokens: 1234, completion_tokens: 57, total_tokens: 1291 },
      ...{ cache_read_input_tokens: 1024, reasoning_tokens: 16 },
    });
    expect(metadata).not.toHaveProperty('usage_object');
  });
});

describe('spans of other frameworks', () => {
  it('recognises LiveKit spans by name only within its scope', () => {
    const map = (scope: string) =>
      toEvents(decodeTraces(jsonBody(requestJson([spanJson({ name: 'llm_node' })], {}, scope)), 'json'), {
        projectId: PROJECT,
        receivedAt: 1,
      });
    expect(map('livekit-agents').events[0]?.event_type).toBe('model');
    expect(map('other').events[0]?.event_type).toBe('chain');
  });

  it('of Mastra count only whole generations', () => {
    const { metadata } = mapAttributes({ 'mastra.span.type': 'model_step', 'gen_ai.usage.input_tokens': 5 });
    expect(metadata).not.toHaveProperty('prompt_tokens');
  });

  it.each([
    ['user_input', 'chain', null],
    ['agent_output', 'chain', null],
    ['agent_action', 'tool', null],
    ['agent_error', 'chain', 'error'],
  ])('of Copilot Studio: %s is a %s', (operation, type, error) => {
    const event = mapAttributes({
      'gen_ai.system': 'microsoft.copilot_studio',
      'gen_ai.operation.name': operation,
    });
    expect(event).toMatchObject({ event_type: type, error });
  });

  it('of the OpenAI Agents SDK are grouped by their group id', () => {
    expect(mapSpans([{ attributes: { group_id: 's1' } }]).events[0]?.session_id).toBe(session);
  });
});
