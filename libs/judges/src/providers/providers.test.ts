import { chatCompletion } from '../../test/fake-provider.js';
import { aRequest, judgeOnce, KEY, templates } from '../../test/judge-on-fake.js';
import { createJudge } from '../create-judge.js';
import { MOCK_PROVIDER } from '../judge-options.js';

const SYSTEM = expect.stringContaining('double square brackets') as string;
const PROMPT = 'Rate this: it is {{ 7 * 7 }}';
const parameters = { max_tokens: 50, top_p: 0.5, seed: 7, stop: 'END' };

describe('the OpenAI-compatible proxy', () => {
  it('gets a chat completion request with temperature 0', async () => {
    const { outcome, provider } = await judgeOnce([{ body: chatCompletion('Fine. [[4]]') }]);
    expect(outcome).toMatchObject({
      ok: true,
      value: 4,
      explanation: 'Fine.',
      prompt: PROMPT,
      reply: 'Fine. [[4]]',
      tokens: { prompt: 100, completion: 20 },
      cost: (100 * 2.5 + 20 * 10) / 1_000_000,
      attempts: 1,
    });
    expect(provider.requests).toMatchObject([
      { method: 'POST', url: '/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } },
    ]);
    expect(provider.requests[0]?.body).toEqual({
      model: 'gpt-4o',
      temperature: 0,
      messages: [{ role: 'user', content: PROMPT }],
    });
  });

  it('gets instructions on the reply as the first message, if they are added', async () => {
    const { provider } = await judgeOnce([{ body: chatCompletion('[[1]]') }], {
      request: { addInstructions: true },
    });
    expect(provider.requests[0]?.body['messages']).toEqual([
      { role: 'system', content: SYSTEM },
      { role: 'user', content: PROMPT },
    ]);
  });

  it('gets the parameters of the metric and nothing else of it', async () => {
    const stored = { ...parameters, temperature: 0.7, messages: [], stream: true, model: 'other' };
    const { provider } = await judgeOnce([{ body: chatCompletion('[[1]]') }], {
      request: { parameters: stored },
    });
    expect(provider.requests[0]?.body).toMatchObject({ ...parameters, temperature: 0.7, model: 'gpt-4o' });
    expect(provider.requests[0]?.body).not.toHaveProperty('stream');
    expect(provider.requests[0]?.body['messages']).toHaveLength(1);
  });

  it('gets no temperature for a model that accepts none', async () => {
    const request = { parameters: { temperature: null } };
    const { provider } = await judgeOnce([{ body: chatCompletion('[[1]]') }], { request });
    expect(provider.requests[0]?.body).not.toHaveProperty('temperature');
  });

  it('gets the parameters that only such APIs have', async () => {
    const penalties = { frequency_penalty: -1, presence_penalty: 1, max_completion_tokens: 60 };
    const { provider } = await judgeOnce([{ body: chatCompletion('[[1]]') }], {
      request: { parameters: penalties },
    });
    expect(provider.requests[0]?.body).toMatchObject({ ...penalties, temperature: 0 });
    expect(provider.requests[0]?.body).not.toHaveProperty('max_tokens');
  });

  test.each([
    ['anthropic', { max_tokens: 60, temperature: 0 }],
    ['bedrock', { inferenceConfig: { maxTokens: 60, temperature: 0 } }],
  ] as const)('limits the tokens of %s by the same parameter', async (api, expected) => {
    const { provider } = await judgeOnce([{ body: {} }], {
      request: {
        modelProvider: api,
        parameters: { max_completion_tokens: 60, presence_penalty: 1, seed: 7 },
      },
      options: ({ url }) => ({ providers: { [api]: { api, url } } }),
    });
    expect(provider.requests[0]?.body).toMatchObject(expected);
    const body = JSON.stringify(provider.requests[0]?.body);
    for (const name of ['max_completion_tokens', 'presence_penalty', 'seed'])
      expect(body).not.toContain(name);
  });

  it('states no cost for a model without a price', async () => {
    const body = { ...chatCompletion('[[1]]'), model: 'deterministic/default/default' };
    const { outcome } = await judgeOnce([{ body }], {
      request: { modelName: 'deterministic/default/default' },
    });
    expect(outcome.cost).toBeUndefined();
    expect(outcome.ok).toBe(true);
  });
});

describe('endpoints of providers', () => {
  it('calls the test double under its own name', async () => {
    const { outcome, provider } = await judgeOnce(
      [{ body: chatCompletion('This is a mock explanation. Rating: [[5]]') }],
      {
        request: { modelProvider: MOCK_PROVIDER, modelName: 'deterministic/default/default' },
        options: ({ url }) => ({
          proxy: undefined,
          providers: {
            [MOCK_PROVIDER]: { api: 'openai', url: `${url}/mock/v1/`, apiKey: 'mock-llm-api-key' },
          },
        }),
      },
    );
    expect(outcome).toMatchObject({ value: 5, explanation: 'This is a mock explanation. Rating:' });
    expect(provider.requests[0]).toMatchObject({
      url: '/mock/v1/chat/completions',
      headers: { authorization: 'Bearer mock-llm-api-key' },
    });
  });

  it('speaks the messages API of Anthropic', async () => {
    const { outcome, provider } = await judgeOnce(
      [
        {
          body: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'claude-sonnet-4-5-20250929',
            content: [
              { type: 'thinking', thinking: 'hm [[1]]' },
              { type: 'text', text: 'Good. ' },
              { type: 'text', text: '[[3]]' },
            ],
            stop_reason: 'end_turn',
            usage: {
              input_tokens: 10,
              cache_read_input_tokens: 90,
              cache_creation_input_tokens: 0,
              output_tokens: 20,
            },
          },
        },
      ],
      {
        request: {
          modelProvider: 'anthropic',
          modelName: 'claude-sonnet-4-5',
          addInstructions: true,
          parameters,
        },
        options: ({ url }) => ({ providers: { anthropic: { api: 'anthropic', url, apiKey: KEY } } }),
      },
    );
    expect(outcome).toMatchObject({
      value: 3,
      explanation: 'Good.',
      tokens: { prompt: 100, completion: 20 },
      cost: (10 * 3 + 90 * 0.3 + 20 * 15) / 1_000_000,
    });
    expect(provider.requests[0]).toMatchObject({
      url: '/v1/messages',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    });
    expect(provider.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(provider.requests[0]?.body).toEqual({
      model: 'claude-sonnet-4-5',
      system: SYSTEM,
      messages: [{ role: 'user', content: PROMPT }],
      max_tokens: 50,
      temperature: 0,
      top_p: 0.5,
      stop_sequences: ['END'],
    });
  });

  it('speaks the API of Azure OpenAI', async () => {
    const { outcome, provider } = await judgeOnce([{ body: chatCompletion('[[2]]') }], {
      request: { modelProvider: 'azure', modelName: 'my deployment' },
      options: ({ url }) => ({
        providers: { azure: { api: 'azure', url: `${url}/`, apiKey: KEY, apiVersion: '2024-06-01' } },
      }),
    });
    expect(outcome).toMatchObject({ value: 2, cost: (100 * 2.5 + 20 * 10) / 1_000_000 });
    expect(provider.requests[0]).toMatchObject({
      url: '/openai/deployments/my%20deployment/chat/completions?api-version=2024-06-01',
      headers: { 'api-key': KEY },
    });
    expect(provider.requests[0]?.body).not.toHaveProperty('model');
  });

  it('speaks the Converse API of Bedrock', async () => {
    const { outcome, provider } = await judgeOnce(
      [
        {
          body: {
            output: { message: { role: 'assistant', content: [{ text: 'OK [[1]]' }] } },
            stopReason: 'end_turn',
            usage: { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 },
            metrics: { latencyMs: 5 },
          },
        },
      ],
      {
        request: {
          modelProvider: 'bedrock',
          modelName: 'us.amazon.nova-lite-v1:0',
          addInstructions: true,
          parameters,
        },
        options: ({ url }) => ({ providers: { bedrock: { api: 'bedrock', url, apiKey: KEY } } }),
      },
    );
    expect(outcome).toMatchObject({ value: 1, tokens: { prompt: 1_000, completion: 100 }, cost: 0.000084 });
    expect(provider.requests[0]).toMatchObject({
      url: '/model/us.amazon.nova-lite-v1%3A0/converse',
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(provider.requests[0]?.body).toEqual({
      system: [{ text: SYSTEM }],
      messages: [{ role: 'user', content: [{ text: PROMPT }] }],
      inferenceConfig: { maxTokens: 50, temperature: 0, topP: 0.5, stopSequences: ['END'] },
    });
  });

  it('refuses an endpoint of a project inside the network, also on a host that the operator listed', async () => {
    const { outcome, provider } = await judgeOnce([{ body: chatCompletion('[[1]]') }], {
      options: ({ url }) => ({ projectProvider: () => ({ api: 'openai', url, apiKey: 'own' }) }),
    });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'execution_error', retryable: false } });
    expect(provider.connections()).toBe(0);
  });

  it('fails without an endpoint', async () => {
    const outcome = await createJudge({ templates }).evaluate(aRequest);
    expect(outcome).toMatchObject({
      error: {
        code: 'execution_error',
        message: 'no endpoint is configured for the model provider of the metric',
      },
      prompt: PROMPT,
      attempts: 0,
    });
  });

  it('does not take names of the prototype for providers', async () => {
    const outcome = await createJudge({ templates, providers: {} }).evaluate({
      ...aRequest,
      modelProvider: 'constructor',
    });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'execution_error' } });
  });
});
