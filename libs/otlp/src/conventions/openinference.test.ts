import type { JsonValue } from '@assay/domain';
import { mapAttributes, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { openInference } from './openinference.js';

const LLM = { 'openinference.span.kind': 'LLM' };
const text = (key: string, path: string): TableCase => [key, 'some text', path, 'some text'];
const count = (key: string, path: string): TableCase => [key, 7, path, 7];

const cases: TableCase[] = [
  [
    'llm.prompts',
    ['Say hi to Ann'],
    'inputs',
    { chat_history: [{ role: 'user', content: 'Say hi to Ann' }] },
  ],
  ['openinference.span.kind', 'LLM', 'metadata.span_kind', 'LLM'],
  text('llm.request.model_name', 'config.model'),
  text('llm.response.model_name', 'metadata.response_model'),
  text('llm.response.model_name', 'config.model'),
  text('llm.model_name', 'config.model'),
  text('llm.model_name', 'metadata.response_model'),
  ['llm.provider', 'azure', 'config.provider', 'azure.ai.openai'],
  ['llm.system', 'openai', 'metadata.system', 'openai'],
  ['llm.system', 'openai', 'config.provider', 'openai'],
  [
    'llm.invocation_parameters',
    '{"temperature":0.7,"model":"m","messages":[]}',
    'config',
    { temperature: 0.7, model: 'm' },
  ],
  ['llm.invocation_parameters', '{"temperature":', 'metadata.llm.invocation_parameters', '{"temperature":'],
  ['llm.tools.0.tool.json_schema', '{"name":"f"}', 'config.tools', [{ name: 'f' }]],
  ['llm.finish_reason', 'stop', 'metadata.finish_reasons', ['stop']],
  text('llm.prompt_template.template', 'config.template'),
  ['llm.prompt_template.variables', '{"a":1}', 'inputs.variables', { a: 1 }],
  text('llm.prompt_template.version', 'config.prompt_version'),
  ['llm.input_messages.0.message.content', 'hi', 'inputs.chat_history', [{ role: 'user', content: 'hi' }]],
  ['llm.output_messages.0.message.content', 'hi', 'outputs', { role: 'assistant', content: 'hi' }],
  ['llm.prompts.0.prompt.text', 'Once', 'inputs.chat_history', [{ role: 'user', content: 'Once' }]],
  ['llm.choices.0.completion.text', 'upon', 'outputs.content', 'upon'],
  ['retrieval.documents.0.document.score', '0.5', 'outputs.documents', [{ score: 0.5 }]],
  ['output.value', '{"choices":[],"id":"r1"}', 'metadata.response_id', 'r1'],
  ['output.value', '{"choices":[],"created":1790000000}', 'metadata.response_created', 1_790_000_000],
  ['output.value', '{"id":"a document"}', 'metadata.response_id', undefined],
  text('reranker.query', 'inputs.query'),
  text('reranker.model_name', 'config.model'),
  ['reranker.top_k', 3, 'config.top_k', 3],
  ['reranker.input_documents.0.document.id', 'd', 'inputs.documents', [{ id: 'd' }]],
  ['reranker.output_documents.0.document.metadata', '{"a":1}', 'outputs.documents', [{ metadata: { a: 1 } }]],
  text('embedding.model_name', 'config.model'),
  ['embedding.invocation_parameters', '{"dimensions":8}', 'config.dimensions', 8],
  ['embedding.embeddings.0.embedding.text', 'hi', 'inputs.input', 'hi'],
  ['embedding.embeddings.0.embedding.vector', [0.5, 1], 'outputs.embeddings', [[0.5, 1]]],
  count('llm.token_count.prompt', 'metadata.prompt_tokens'),
  count('llm.token_count.completion', 'metadata.completion_tokens'),
  count('llm.token_count.total', 'metadata.total_tokens'),
  count('llm.token_count.prompt_details.cache_read', 'metadata.cache_read_input_tokens'),
  count('llm.token_count.prompt_details.cache_input', 'metadata.cache_read_input_tokens'),
  count('llm.token_count.prompt_details.cache_write', 'metadata.cache_creation_input_tokens'),
  ['llm.token_count.prompt_details.audio', 7, 'metadata.usage_details', { audio_input: 7 }],
  count('llm.token_count.completion_details.reasoning', 'metadata.reasoning_tokens'),
  ['llm.token_count.completion_details.audio', 7, 'metadata.usage_details', { audio_output: 7 }],
  ['llm.cost.total', 0.25, 'metadata.cost', 0.25],
  ['llm.cost.prompt', 0.25, 'metadata.cost', 0.25],
  ['llm.cost.completion', 0.25, 'metadata.cost_details', { completion: 0.25 }],
  [
    'llm.cost.prompt_details.cache_read',
    0.25,
    'metadata.cost_details',
    { 'prompt_details.cache_read': 0.25 },
  ],
  text('tool.name', 'metadata.tool_name'),
  text('tool.description', 'metadata.tool_description'),
  text('tool.id', 'metadata.tool_id'),
  ['tool.parameters', '{"type":"object"}', 'config.tool_parameters', { type: 'object' }],
  ['tool.json_schema', '{"type":"object"}', 'config.tool_json_schema', { type: 'object' }],
  text('tool_call.id', 'metadata.tool_call_id'),
  text('tool_call.function.name', 'metadata.tool_name'),
  ['tool_call.function.arguments', '{"a":1}', 'inputs.a', 1],
  text('agent.name', 'metadata.agent_name'),
  text('graph.node.id', 'metadata.graph_node_id'),
  text('graph.node.name', 'metadata.graph_node_name'),
  text('graph.node.parent_id', 'metadata.graph_node_parent_id'),
  text('prompt.vendor', 'metadata.prompt_vendor'),
  text('prompt.id', 'metadata.prompt_id'),
  text('prompt.url', 'metadata.prompt_url'),
  ['metadata', '{"tier":"pro"}', 'metadata.tier', 'pro'],
  ['metadata', '{"ls_provider":"azure"}', 'config.provider', 'azure.ai.openai'],
  ['metadata', '{"ls_provider":"langchain"}', 'config.provider', undefined],
  ['metadata', '{"tier":"pro"', 'metadata.metadata', '{"tier":"pro"'],
  ['tag.tags', '["a","b","a"]', 'metadata.tags', ['a', 'b']],
  ['tag.tags', 'a, b,,c', 'metadata.tags', ['a', 'b', 'c']],
  ['evaluations.0.evaluation', { name: 'fluent', score: 0.5 }, 'metrics.fluent', 0.5],
  [
    'annotations.0.annotation',
    { name: 'good', label: 'yes', annotator_kind: 'HUMAN' },
    'feedback.good',
    'yes',
  ],
];

describe('attributes of OpenInference', () => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ ...LLM, [key]: value }), path)).toEqual(expected);
  });

  it('has a test case for every attribute', () => expect(untestedKeys(openInference, cases)).toEqual([]));

  it.each([
    ['LLM', 'model'],
    ['EMBEDDING', 'model'],
    ['CHAIN', 'chain'],
    ['agent', 'chain'],
    ['TOOL', 'tool'],
    ['RETRIEVER', 'tool'],
    ['RERANKER', 'tool'],
    ['GUARDRAIL', 'tool'],
    ['EVALUATOR', 'tool'],
    ['PROMPT', 'tool'],
    ['UNKNOWN', 'chain'],
  ])('the kind %s is a %s', (kind, type) => {
    expect(mapAttributes({ 'openinference.span.kind': kind })).toMatchObject({
      event_type: type,
      metadata: { span_kind: kind },
    });
  });

  it('are detected without the kind, which some emitters omit', () => {
    const event = mapAttributes({ 'llm.model_name': 'm', 'llm.input_messages.0.message.content': 'hi' });
    expect(event).toMatchObject({ event_type: 'model', inputs: { chat_history: [{ content: 'hi' }] } });
  });

  it('with generic names are ignored on spans of another library', () => {
    const { metadata } = mapAttributes({ metadata: '{"a":1}', 'agent.name': 'x', 'prompt.id': 'y' });
    expect(metadata).toMatchObject({ metadata: '{"a":1}', 'agent.name': 'x', 'prompt.id': 'y' });
  });
});

describe('messages of OpenInference', () => {
  it('are in the order of their numbers, whatever the order of the attributes', () => {
    const indices = [11, 3, 0, 7, 1, 10, 2, 9, 4, 8, 5, 6];
    const entries = indices.map((index): [string, JsonValue] => [
      `llm.input_messages.${index}.message.content`,
      `m${index}`,
    ]);
    const history = mapAttributes({ ...LLM, ...Object.fromEntries(entries) }).inputs['chat_history'] as {
      content: string;
    }[];
    expect(history.map((message) => message.content)).toEqual(indices.map((_, index) => `m${index}`));
  });

  it('are kept in order over gaps, without holes', () => {
    const attributes = {
      'llm.input_messages.0.message.content': 'a',
      'llm.input_messages.2.message.content': 'c',
    };
    expect(mapAttributes({ ...LLM, ...attributes }).inputs['chat_history']).toHaveLength(2);
  });

  it('hold contents, calls of tools and their ids', () => {
    const prefix = 'llm.input_messages.0.message';
    const event = mapAttributes({
      ...LLM,
      [`${prefix}.role`]: 'assistant',
      [`${prefix}.contents.0.message_content.type`]: 'text',
      [`${prefix}.contents.0.message_content.text`]: 'see',
      [`${prefix}.contents.1.message_content.type`]: 'image',
      [`${prefix}.contents.1.message_content.image.image.url`]: 'https://x/y.png',
      [`${prefix}.tool_calls.0.tool_call.id`]: 'c1',
      [`${prefix}.tool_calls.0.tool_call.function.name`]: 'f',
      [`${prefix}.tool_calls.0.tool_call.function.arguments`]: '{"a":1}',
      'llm.input_messages.1.message.role': 'tool',
      'llm.input_messages.1.message.content': 'done',
      'llm.input_messages.1.message.tool_call_id': 'c1',
      'llm.input_messages.2.message.function_call_name': 'g',
      'llm.input_messages.2.message.function_call_arguments_json': '{"b":2}',
    });
    expect(event.inputs['chat_history']).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', url: 'https://x/y.png' },
        ],
        tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }],
      },
      { role: 'tool', content: 'done', tool_call_id: 'c1' },
      { role: 'user', content: null, tool_calls: [{ name: 'g', arguments: { b: 2 } }] },
    ]);
  });

  it('with equal content and contents are stored once', () => {
    const prefix = 'llm.output_messages.0.message';
    const part = `${prefix}.contents.0.message_content`;
    const event = mapAttributes({
      ...LLM,
      [`${prefix}.content`]: 'hi',
      [`${part}.type`]: 'text',
      [`${part}.text`]: 'hi',
    });
    expect(event.outputs).toEqual({ role: 'assistant', content: 'hi' });
  });

  it('keep a redaction marker literally', () => {
    const { inputs } = mapAttributes({ ...LLM, 'llm.input_messages.0.message.content': '__REDACTED__' });
    expect(inputs['chat_history']).toEqual([{ role: 'user', content: '__REDACTED__' }]);
  });
});

describe('inputs and outputs without a shape', () => {
  const json = { 'input.mime_type': 'application/json', 'output.mime_type': 'application/json' };

  it('of a chain are the JSON object, or a value', () => {
    const event = mapAttributes({
      'openinference.span.kind': 'CHAIN',
      ...json,
      'input.value': '{"q":1}',
      'output.value': '{"broken',
    });
    expect([event.inputs, event.outputs]).toEqual([{ q: 1 }, { value: '{"broken' }]);
  });

  it('that are a text in JSON lose its quotes, those of any other type keep theirs', () => {
    const attributes = { 'openinference.span.kind': 'TOOL', 'input.value': '"pro"', 'output.value': '"pro"' };
    const event = mapAttributes({ ...attributes, 'output.mime_type': 'application/json' });
    expect([event.inputs, event.outputs]).toEqual([{ value: '"pro"' }, { value: 'pro' }]);
  });

  it('that are plain text are not read as JSON', () => {
    const event = mapAttributes({
      'openinference.span.kind': 'TOOL',
      'input.mime_type': 'text/plain',
      'input.value': '{"q":1}',
    });
    expect(event.inputs).toEqual({ value: '{"q":1}' });
  });

  it('of a model are messages where they are a request and an answer', () => {
    const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
    const response = {
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yo' } }],
    };
    const event = mapAttributes({
      ...LLM,
      ...json,
      'input.value': JSON.stringify(request),
      'output.value': JSON.stringify(response),
    });
    expect(event.inputs).toEqual({ model: 'm', chat_history: [{ role: 'user', content: 'hi' }] });
    expect(event.outputs).toEqual({ role: 'assistant', content: 'yo', finish_reason: 'stop' });
  });

  it('of a model are one message where they are items of the Responses API', () => {
    const items = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'think' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
    ];
    const { outputs } = mapAttributes({ ...LLM, ...json, 'output.value': JSON.stringify({ output: items }) });
    expect(outputs).toEqual({
      ...{ role: 'assistant', content: 'done', reasoning: 'think' },
      tool_calls: [{ id: 'c', name: 'f', arguments: { a: 1 } }],
    });
  });

  it('of a model rank below its messages', () => {
    const event = mapAttributes({
      ...LLM,
      'input.value': 'raw',
      'llm.input_messages.0.message.content': 'hi',
    });
    expect(event.inputs).toEqual({ chat_history: [{ role: 'user', content: 'hi' }] });
    expect(event.metadata['input.value']).toBe('raw');
  });

  it('of a model that repeat its messages are not stored again', () => {
    const { metadata } = mapAttributes({
      ...LLM,
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'hi',
      'input.value': '{"messages":[{"role":"user","content":"hi"}],"user_tier":"gold"}',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'yo',
      'output.value': 'yo',
    });
    expect(metadata['output.value']).toBeUndefined();
    expect(metadata['input.value']).toEqual({ user_tier: 'gold' });
  });

  it('of a retrieval are its query and its documents', () => {
    const event = mapAttributes({
      'openinference.span.kind': 'RETRIEVER',
      'input.value': 'who?',
      'retrieval.documents.0.document.id': 'a',
      'retrieval.documents.0.document.score': 0.5,
      'retrieval.documents.1.document.content': 'text',
      'retrieval.documents.1.document.metadata': '{"page":2}',
    });
    expect(event).toMatchObject({ event_type: 'tool', inputs: { query: 'who?' } });
    expect(event.outputs['documents']).toEqual([
      { id: 'a', score: 0.5 },
      { content: 'text', metadata: { page: 2 } },
    ]);
  });
});

describe('the model of a span', () => {
  it('is the requested model, then the named model, then the response model', () => {
    const names = { 'llm.response.model_name': 'c', 'llm.model_name': 'b', 'llm.request.model_name': 'a' };
    expect(mapAttributes({ ...LLM, ...names }).config['model']).toBe('a');
    const params = { 'llm.invocation_parameters': '{"model":"d"}' };
    expect(mapAttributes({ ...LLM, ...params, 'llm.model_name': 'b' }).config['model']).toBe('b');
    expect(mapAttributes({ ...LLM, ...params }).config['model']).toBe('d');
  });
});
