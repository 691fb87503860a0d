import type { JsonObject } from '@assay/domain';
import { mapAttributes } from '../../test/map-one.js';

const contents = [
  { role: 'user', parts: [{ text: 'Where is "Oslo"?' }] },
  { role: 'model', parts: [{ thought: true, text: 'A city.' }, { text: 'In Norway' }] },
  { role: 'user', parts: [{ text: 'And Bergen?' }] },
];
const history = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where is "Oslo"?' },
  { role: 'assistant', content: 'In Norway', reasoning: 'A city.' },
  { role: 'user', content: 'And Bergen?' },
];
const request = {
  model: 'gemini-3-flash',
  config: { temperature: 0.5, system_instruction: 'Be brief.', labels: { team: 'a' } },
  contents,
  live_connect_config: { input: 1 },
};
const response = {
  content: { role: 'model', parts: [{ text: 'Also there' }] },
  finish_reason: 'STOP',
  usage_metadata: { prompt_token_count: 20, candidates_token_count: 2, total_token_count: 22 },
  cache_age: -0.5,
};
const REQUEST = 'gcp.vertex.agent.llm_request';
const CALL = { 'gen_ai.operation.name': 'generate_content' };
const RESPONSE = 'gcp.vertex.agent.llm_response';

/** The beginnings of a text, from its first field on. */
function beginnings(text: string): string[] {
  return Array.from({ length: text.length - 3 }, (_, index) => text.slice(0, index + 3));
}

describe('a request of the Agent Development Kit that was cut', () => {
  const whole = JSON.stringify(request);
  const ends = contents.map(
    (content) => whole.indexOf(JSON.stringify(content)) + JSON.stringify(content).length,
  );

  it('has the messages before the cut, and names the attribute, wherever it was cut', () => {
    for (const text of beginnings(whole)) {
      const { event_type, inputs, config, metadata } = mapAttributes({ [REQUEST]: text });
      const complete = ends.filter((end) => end <= text.length).length;
      const hasConfig = text.length >= whole.indexOf(',"contents"');
      expect(event_type).toBe('model');
      const expected = history.slice(0, complete + 1);
      expect(inputs).toEqual(hasConfig ? { chat_history: expected } : {});
      expect(config['temperature']).toBe(hasConfig ? 0.5 : undefined);
      expect(config['model']).toBe(text.length > whole.indexOf(',"config"') ? 'gemini-3-flash' : undefined);
      expect(metadata['truncated']).toEqual([REQUEST]);
    }
  });

  it('keeps what is not complete under its key, and nothing that was read', () => {
    const text = whole.slice(0, whole.indexOf('Bergen'));
    const { metadata } = mapAttributes({ [REQUEST]: text });
    expect(metadata[REQUEST]).toBe('{"role":"user","parts":[{"text":"And ');
    expect(JSON.stringify(metadata)).not.toContain('Norway');
  });

  it('that is no JSON of an object is a text of the metadata', () => {
    for (const text of ['{braces}', '<elided>', '{"a":1} and more']) {
      const { metadata, inputs } = mapAttributes({ [REQUEST]: text });
      expect(metadata[REQUEST]).toBe(text);
      expect(metadata).not.toHaveProperty('truncated');
      expect(inputs).toEqual({});
    }
  });
});

describe('a response of the Agent Development Kit that was cut', () => {
  const whole = JSON.stringify(response);
  const end = whole.indexOf(',"finish_reason"');

  it('is an answer only if its content is complete', () => {
    for (const text of beginnings(whole)) {
      const { outputs, metadata } = mapAttributes({ ...CALL, [RESPONSE]: text });
      expect(outputs['content']).toBe(text.length >= end ? 'Also there' : undefined);
      expect(metadata['truncated']).toEqual([RESPONSE]);
      const hasUsage = text.length >= whole.indexOf(',"cache_age"');
      expect(metadata['total_tokens']).toBe(hasUsage ? 22 : undefined);
      if (text.length < end) expect(metadata[RESPONSE]).toBe(text);
    }
  });

  it('is an answer beside a request that is whole', () => {
    const event = mapAttributes({ [REQUEST]: JSON.stringify(request), [RESPONSE]: whole.slice(0, -5) });
    expect(event).toMatchObject({
      inputs: { chat_history: history },
      outputs: { content: 'Also there', finish_reason: 'STOP' },
      metadata: { truncated: [RESPONSE], prompt_tokens: 20, completion_tokens: 2 },
    });
  });
});

describe('messages of other sources that were cut', () => {
  const hello = { role: 'user', content: 'Hello' };
  const cut = `${JSON.stringify(hello)},{"role":"assistant","content":"Hi the`;

  it.each<[string, JsonObject, string]>([
    ['a request whose messages are not first', { 'openinference.span.kind': 'LLM' }, 'input.value'],
    ['an input of Langfuse', { 'langfuse.observation.type': 'generation' }, 'langfuse.observation.input'],
    ['an input of MLflow', { 'mlflow.spanType': 'CHAT_MODEL' }, 'mlflow.spanInputs'],
  ])('are those before the cut: %s', (_, kind, key) => {
    const { inputs, metadata } = mapAttributes({ ...kind, [key]: `{"model":"m","messages":[${cut}` });
    expect(inputs).toMatchObject({ chat_history: [hello] });
    expect(metadata['truncated']).toEqual([key]);
    expect(metadata[key]).toBe('{"role":"assistant","content":"Hi the');
  });

  it.each(['[[', '{"messages":[['])('are those before the cut in lists of lists: %s', (opening) => {
    const event = mapAttributes({ 'openinference.span.kind': 'LLM', 'input.value': `${opening}${cut}` });
    expect(event.inputs).toEqual({ chat_history: [hello] });
    expect(event.metadata['truncated']).toEqual(['input.value']);
  });

  it('are all when the cut is behind them', () => {
    const { inputs, metadata } = mapAttributes({
      'openinference.span.kind': 'LLM',
      'input.value': `{"messages":[${JSON.stringify(hello)}],"tools":[{"ty`,
    });
    expect(inputs['chat_history']).toEqual([hello]);
    expect(metadata['truncated']).toEqual(['input.value']);
  });

  it('are none when only one was sent', () => {
    for (const text of [
      '{"role":"user","content":"Hel',
      '{"role":"user","content":[{"type":"text","text":"a"},{"ty',
    ]) {
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': text };
      const { inputs, metadata } = mapAttributes(attributes);
      expect(inputs).toEqual({});
      expect(metadata).toMatchObject({ truncated: ['gen_ai.input.messages'], 'gen_ai.input.messages': text });
    }
  });

  it('are read of the events of Pydantic AI', () => {
    const event = mapAttributes({
      'logfire.msg': 'chat m',
      'gen_ai.request.model': 'm',
      events: `[{"event.name":"gen_ai.user.message","role":"user","content":"Hello"},{"event.name":"gen_ai.cho`,
    });
    expect(event.inputs['chat_history']).toEqual([hello]);
    expect(event.metadata['truncated']).toEqual(['events']);
  });
});
