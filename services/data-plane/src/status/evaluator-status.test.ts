import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createEvaluatorClient } from '@assay/control-plane-client';
import { inspectEvaluator, makeEvaluatorStatus } from './evaluator-status.js';

const KNOWN = {
  python: { available: false, reason: 'no CPython' },
  providers: ['openai'],
  failing_providers: [{ project_id: 'p', name: 'openai', is_own: false, paused_until: null }],
};
const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function evaluatorThat(listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: 0 }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createEvaluatorClient({ url: `http://127.0.0.1:${port}`, token: 't', timeoutMs: 200 });
  closers.push(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return client;
}

describe('the status of a separate evaluator', () => {
  it('is read with the token, once in two seconds', async () => {
    const requests: unknown[] = [];
    const evaluator = await evaluatorThat(({ url, headers }, response) => {
      requests.push([url, headers.authorization]);
      response.end(JSON.stringify(KNOWN));
    });
    let now = 0;
    const status = makeEvaluatorStatus({ evaluator, now: () => now });
    expect(await Promise.all([status(), status()])).toEqual([
      { ...KNOWN, evaluator_reason: null },
      { ...KNOWN, evaluator_reason: null },
    ]);
    now = 1_999;
    await status();
    expect(requests).toEqual([['/internal/v1/evaluator/status', 'Bearer t']]);
    now = 2_000;
    await status();
    expect(requests).toHaveLength(2);
    expect(await inspectEvaluator({ evaluator, now: Date.now })).toEqual([
      { name: 'evaluator', ok: true, detail: 'responds, Python sandbox not used: no CPython' },
    ]);
  });

  it.each<[string, RequestListener, string]>([
    ['never responds', () => undefined, 'evaluator unreachable'],
    ['resets connections', ({ socket }) => socket.destroy(), 'evaluator unreachable'],
    [
      'refuses the token',
      (_, response) => response.writeHead(401).end('{}'),
      'the evaluator responded with status 401',
    ],
    [
      'is something else',
      (_, response) => response.end('{}'),
      'invalid response from the evaluator to getEvaluatorStatus',
    ],
  ])('is a reason when it %s', async (_name, listener, reason) => {
    const evaluator = await evaluatorThat(listener);
    const status = makeEvaluatorStatus({ evaluator, now: Date.now });
    expect(await status()).toEqual({
      ...{ python: null, providers: null, evaluator_reason: reason },
    });
    const [finding] = await inspectEvaluator({ evaluator, now: Date.now });
    expect(finding).toMatchObject({
      ok: false,
      detail: reason,
      advice: expect.stringContaining('EVALUATOR_URL') as string,
    });
  });

  it('is a reason when there is none', async () => {
    expect((await makeEvaluatorStatus({ now: Date.now })()).evaluator_reason).toBe(
      'EVALUATOR_URL is not set',
    );
    expect(await inspectEvaluator({ now: Date.now })).toEqual([]);
  });
});
