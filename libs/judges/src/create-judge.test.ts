import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ServerResponse } from 'node:http';
import { waitFor } from '@assay/testing';
import { chatCompletion, startFakeProvider, type FakeResponse } from '../test/fake-provider.js';
import { aRequest, judgeOnce, KEY, templates } from '../test/judge-on-fake.js';
import { createJudge } from './create-judge.js';

const good: FakeResponse = { body: chatCompletion('[[5]]') };
const rateLimited = (headers: Record<string, string> = {}): FakeResponse => ({
  status: 429,
  headers,
  body: { error: { message: `Rate limit for ${KEY}`, type: 'requests', code: 'rate_limit_exceeded' } },
});
const failing: FakeResponse = { status: 500, body: { error: { message: 'oops', type: 'server_error' } } };

describe('failures of providers', () => {
  it.each<[string, FakeResponse, string]>([
    [
      '400',
      { status: 400, body: { error: { code: 'context_length_exceeded' } } },
      'the provider responded 400 (context_length_exceeded)',
    ],
    [
      '401',
      {
        status: 401,
        body: { error: { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' } },
      },
      'the provider responded 401 (invalid_api_key)',
    ],
    ['404 without JSON', { status: 404, body: '<html>' }, 'the provider responded 404'],
    [
      'a code that is a text',
      { status: 403, body: { error: { code: `key ${KEY}` } } },
      'the provider responded 403',
    ],
    ['invalid JSON', { body: '{"choices": [' }, 'the response of the provider is not valid JSON'],
    ['an empty body', { body: '' }, 'the response of the provider is not valid JSON'],
    ['JSON without a choice', { body: { choices: [] } }, 'the response of the provider has no completion'],
    ['JSON of another kind', { body: [1] }, 'the response of the provider has no completion'],
    ['null', { body: 'null' }, 'the response of the provider has no completion'],
  ])('does not retry %s', async (_what, response, message) => {
    const { outcome, provider } = await judgeOnce([response, good]);
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'execution_error', message, retryable: false },
      attempts: 1,
    });
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });

  it.each([301, 302, 303, 307, 308])('does not follow the redirect %i', async (status) => {
    const { outcome, provider } = await judgeOnce([
      (response, { headers }) =>
        void response.writeHead(status, { location: `http://${headers.host}/secret` }).end(),
      good,
    ]);
    expect(outcome).toMatchObject({ error: { code: 'execution_error', retryable: false } });
    expect(provider.requests.map(({ url }) => url)).toEqual(['/v1/chat/completions']);
  });

  it.each<[string, FakeResponse]>([
    ['500', failing],
    ['502', { status: 502, body: 'bad gateway' }],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '0' }, body: {} }],
    ['529', { status: 529, body: { type: 'error', error: { type: 'overloaded_error' } } }],
    ['429', rateLimited()],
    ['429 with Retry-After', rateLimited({ 'retry-after': '0' })],
    ['429 with a date in the past', rateLimited({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })],
    ['429 with nonsense', rateLimited({ 'retry-after': 'soon' })],
  ])('retries %s at most twice', async (_what, response) => {
    const { outcome, provider } = await judgeOnce([response, response, good]);
    expect(outcome).toMatchObject({ ok: true, value: 5, attempts: 3 });
    const { outcome: failed } = await judgeOnce([response, response, response, good]);
    expect(failed).toMatchObject({
      ok: false,
      error: { code: 'execution_error', retryable: true },
      attempts: 3,
    });
    expect(provider.requests).toHaveLength(3);
    expect(JSON.stringify(failed)).not.toContain(KEY);
  });

  it('waits as long as Retry-After says', async () => {
    const { outcome } = await judgeOnce([rateLimited({ 'retry-after': '0.2' }), good]);
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(190);
  });

  it.each<[string, FakeResponse, number]>([
    ['none', failing, 90],
    ['a shorter Retry-After', rateLimited({ 'retry-after': '0.01' }), 90],
    ['a longer Retry-After', rateLimited({ 'retry-after': '0.2' }), 190],
  ])('waits for the jittered backoff, or longer if asked, with %s', async (_what, response, ms) => {
    const { outcome } = await judgeOnce([response, good], { options: () => ({ random: () => 0.1 }) });
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(ms);
  });

  it('doubles the jittered backoff with each retry', async () => {
    const { outcome } = await judgeOnce([failing, failing, good], {
      options: () => ({ random: () => 0.1 }),
    });
    expect(outcome).toMatchObject({ ok: true, attempts: 3 });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(290);
  });

  it('does not wait for a backoff that exceeds the time that is left', async () => {
    const { outcome, provider } = await judgeOnce([failing, good], {
      // A backoff of 40 s, so that the response may take long.
      options: () => ({ random: () => 40, timeoutMs: 30_000 }),
    });
    expect(outcome).toMatchObject({
      error: { code: 'execution_error', message: 'the provider responded 500 (server_error)' },
      attempts: 1,
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('returns the delay when Retry-After exceeds the time that is left', async () => {
    const { outcome, provider } = await judgeOnce([rateLimited({ 'retry-after': '120' }), good]);
    expect(outcome).toMatchObject({ error: { retryAfterMs: 120_000, retryable: true }, attempts: 1 });
    expect(provider.requests).toHaveLength(1);
  });
});

describe('limits on responses', () => {
  const timeoutMs = 300;
  const hanging: [string, FakeResponse][] = [
    ['hangs before its headers', () => undefined],
    ['hangs after its headers', (response) => void response.writeHead(200).write('{')],
    ['drips', drip],
  ];

  it.each(hanging)('ends at the time limit when the provider %s', async (_how, response) => {
    const { outcome, provider } = await judgeOnce([response], { options: () => ({ timeoutMs }) });
    expect(outcome).toMatchObject({
      error: { code: 'execution_error', message: 'the provider did not respond in time', retryable: true },
      attempts: 1,
    });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(timeoutMs - 5);
    expect(provider.requests).toHaveLength(1);
  });

  it('ends at the time limit when garbage is collected while the provider hangs', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { outcome } = await judgeOnce([() => void setImmediate(collect)], {
      ...{ options: () => ({ timeoutMs }), signal: new AbortController().signal },
    });
    expect(outcome).toMatchObject({ error: { message: 'the provider did not respond in time' } });
  });

  it.each(hanging)('ends when the caller aborts while the provider %s', async (_how, response) => {
    const controller = new AbortController();
    const respond: FakeResponse = (...args) => {
      if (typeof response === 'function') response(...args);
      setImmediate(() => controller.abort());
    };
    const { outcome } = await judgeOnce([respond], { signal: controller.signal });
    expect(outcome).toMatchObject({ error: { code: 'execution_error', message: 'the call was aborted' } });
  });

  it('sends nothing when the caller has aborted before', async () => {
    const { outcome, provider } = await judgeOnce([good], { signal: AbortSignal.abort() });
    expect(outcome.ok).toBe(false);
    expect(provider.requests).toHaveLength(0);
  });

  it('stops reading a response of 100 MB', async () => {
    let sent = 0;
    const { outcome } = await judgeOnce([
      (response) => {
        const chunk = Buffer.alloc(65_536, ' ');
        const write = () => {
          while (sent < 104_857_600 && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) return void response.once('drain', write);
          }
          response.end();
        };
        response.writeHead(200);
        write();
      },
    ]);
    expect(outcome).toMatchObject({
      error: {
        code: 'execution_error',
        message: 'the response of the provider is larger than 4194304 bytes',
        retryable: false,
      },
    });
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each<[string, FakeResponse]>([
    ['before the response', (response) => void response.destroy()],
    [
      'inside the response',
      (response) =>
        void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    ],
  ])('fails without a retry when the provider closes the connection %s', async (_when, response) => {
    const { outcome } = await judgeOnce([response, good]);
    expect(outcome).toMatchObject({ error: { code: 'execution_error', retryable: true }, attempts: 1 });
  });

  it('fails when the provider does not listen', async () => {
    const options = () => ({ proxy: { url: 'http://127.0.0.1:1' }, allowedHosts: ['127.0.0.1:1'] });
    const { outcome } = await judgeOnce([good], { options });
    expect(outcome).toMatchObject({
      error: { message: 'the provider is unreachable (ECONNREFUSED)', retryable: true },
    });
  });
});

describe('replies of models', () => {
  it.each([[null], [''], ['no rating'], ['[[unclear]]'], [[{ type: 'refusal', refusal: 'no' }]]])(
    'has no rating in %j',
    async (content) => {
      const { outcome, provider } = await judgeOnce([{ body: chatCompletion(content) }]);
      expect(outcome).toMatchObject({
        ok: false,
        error: { code: 'llm_response_parse_error', retryable: false },
        prompt: 'Rate this: it is {{ 7 * 7 }}',
        tokens: { prompt: 100, completion: 20 },
        attempts: 1,
      });
      expect(provider.requests).toHaveLength(1);
    },
  );

  it('asks for the scale and accepts values outside it', async () => {
    const { outcome, provider } = await judgeOnce([{ body: chatCompletion('[[11]]') }], {
      request: { scale: 5, addInstructions: true },
    });
    expect(outcome).toMatchObject({ ok: true, value: 11 });
    expect(JSON.stringify(provider.requests[0]?.body)).toContain('a number from 1 to 5');
  });

  it('returns a category as the metric spells it', async () => {
    const categories = [{ category: 'Helpful' }, { category: 'Not helpful' }];
    const request = { returnType: 'categorical' as const, categories };
    const { outcome } = await judgeOnce([{ body: chatCompletion('ok [[not helpful]]') }], { request });
    expect(outcome).toMatchObject({ ok: true, value: 'Not helpful' });
  });
});

describe('prompts', () => {
  it.each([
    ['{{ messages.0.content }}', 'messages[0] instead of messages.0 (line 1)'],
    ['{{ inputs.a.b.c }}', "it has no attribute 'c' (line 1)"],
    ['{% for i in range(10**9) %}{% endfor %}', 'range has more than 10000 items'],
  ])('sends nothing for the template %s', async (criteria, message) => {
    const event = { inputs: { a: {} } };
    const { outcome, provider } = await judgeOnce([good], { request: { criteria, event } });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'template_render_error', retryable: false },
      attempts: 0,
    });
    expect(outcome.ok ? '' : outcome.error.message).toContain(message);
    expect(provider.requests).toHaveLength(0);
  });

  it('has the fields of the event as variables, complete', async () => {
    const criteria =
      '{{ inputs }}{{ outputs.a }}{{ feedback }}{{ error }}{{ event.event_name }}{{ event_type }}{{ event.inputs }}';
    const request = { criteria, event: { event_name: 'chat', outputs: { a: 1.0 }, inputs: null } };
    const { outcome } = await judgeOnce([good], { request });
    expect(outcome.prompt).toBe('{}1{}NonechatNone{}');
  });
});

describe('calls of many projects', () => {
  it('fails as overloaded, with nothing sent, when a call does not get a slot', async () => {
    const provider = await startFakeProvider([() => undefined]);
    const options = {
      templates,
      proxy: { url: provider.url },
      allowedHosts: [provider.host],
      timeoutMs: 500,
    };
    const judge = createJudge(options);
    const outcomes = await Promise.all(Array.from({ length: 280 }, () => judge.evaluate(aRequest)));
    judge.close();
    await provider.close();
    const unsent = outcomes.filter(({ attempts }) => attempts === 0);
    expect(unsent.length).toBeGreaterThanOrEqual(280 - 16 - 256);
    for (const outcome of unsent)
      expect(outcome).toMatchObject({ error: { code: 'overloaded', retryable: true }, responded: false });
  });

  it('reuses connections and bounds those of a project', async () => {
    const held: ServerResponse[] = [];
    const hold: FakeResponse = (response) => {
      held.push(response);
      if (held.length === 16) for (const one of held) one.end(JSON.stringify(chatCompletion('[[1]]')));
      else if (held.length > 16) response.end(JSON.stringify(chatCompletion('[[1]]')));
    };
    let connections = () => 0;
    const provider = await startFakeProvider([hold]);
    connections = provider.connections;
    const judge = createJudge({ templates, proxy: { url: provider.url }, allowedHosts: [provider.host] });
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => judge.evaluate(aRequest)));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(connections()).toBeLessThanOrEqual(16);
    judge.close();
    await provider.close();
  });

  it('responds to a project while a shared endpoint never responds to those of twelve others', async () => {
    const promptOf = (body: unknown) => JSON.stringify(body);
    const provider = await startFakeProvider([
      (response, { body }) =>
        promptOf(body).includes('answered')
          ? response.end(JSON.stringify(chatCompletion('[[1]]')))
          : undefined,
    ]);
    const judge = createJudge({
      ...{ templates, proxy: { url: provider.url }, allowedHosts: [provider.host], timeoutMs: 600_000 },
    });
    const stop = new AbortController();
    const hanging = Array.from({ length: 12 * 20 }, (_, n) =>
      judge.evaluate({ ...aRequest, projectId: `hanging ${n % 12}` }, stop.signal),
    );
    await waitFor('all places are taken', () => provider.requests.length >= 64);
    const request = { ...aRequest, projectId: 'quiet', criteria: 'answered' };
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => judge.evaluate(request)));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    expect(provider.requests.length).toBeLessThanOrEqual(64 + 12 + 5);
    stop.abort();
    expect((await Promise.all(hanging)).some(({ ok }) => ok)).toBe(false);
    judge.close();
    await provider.close();
  });
});

/** A byte now and then, for as long as the connection is open. */
function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}
