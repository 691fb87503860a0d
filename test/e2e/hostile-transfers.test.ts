import { randomUUID } from 'node:crypto';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const EVALUATION = {
  ...{ metric_id: 'm1', metric_version: 'v1', metric_name: 'accuracy', decision: 'scored', reason: '' },
  ...{ value: 1, explanation: '', error_code: '', duration_ms: 1, cost: 0, prompt_tokens: 0 },
  ...{ completion_tokens: 0, attempts: 1, fingerprint: 'f', decided_at: 1_795_255_200_000, job_id: '' },
};
const EXPLANATION_CHARS = 100_000;

describe('the routes of transfers', () => {
  const { client } = onStack(startStandalone);

  function put(fields: object, evaluations: readonly object[] = [], id: string = randomUUID()) {
    const event = { event_id: id, session_id: id, event_type: 'session', start_time: Date.now(), ...fields };
    return client.call('PUT', '/v1/transfers/events', { body: { events: [{ event, evaluations }] } });
  }

  it.each([
    ['attempts', 256],
    ['attempts', 1e300],
    ['prompt_tokens', 1e19],
    ['completion_tokens', -1],
    ['decided_at', 1e300],
    ['decided_at', -1],
    ['duration_ms', 1e308],
    ['decision', 'pending'],
    ['value', { a: 1 }],
    ['value', 'x'.repeat(200_001)],
    ['metric_name', 'x'.repeat(201)],
    ['fingerprint', 'x'.repeat(201)],
    ['reason', 'x'.repeat(3_001)],
    ['explanation', 'x'.repeat(EXPLANATION_CHARS + 1)],
  ])('refuse an evaluation whose %s no evaluator writes, naming the field', async (name, value) => {
    const response = await put({}, [{ ...EVALUATION, [name]: value }]);
    expect([response.status, response.json<{ message: string }>().message]).toEqual([
      400,
      expect.stringContaining(`events[0].evaluations[0].${name}`),
    ]);
  });

  it.each([
    ['start_time', 1e300],
    ['end_time', 1e15],
  ])('refuse a %s that is not in milliseconds, naming the field', async (name, value) => {
    const response = await put({ [name]: value });
    expect([response.status, response.text]).toEqual([
      400,
      expect.stringContaining(`events[0].event.${name}`),
    ]);
  });

  it('return long evaluations of many events in parts, and each of them once', async () => {
    const explanation = 'x'.repeat(EXPLANATION_CHARS);
    const ids = Array.from({ length: 12 }, () => randomUUID());
    for (const id of ids) {
      const evaluations = Array.from({ length: 10 }, (_, n) => ({
        ...EVALUATION,
        ...{ metric_id: `m${n}`, explanation },
      }));
      expect((await put({}, evaluations, id)).status).toBe(200);
    }
    const found: { event_id: string; evaluations: unknown[] }[] = [];
    let requests = 0;
    for (let left: readonly string[] = ids; left.length > 0; requests++) {
      const response = await client.call('POST', '/v1/transfers/evaluations', {
        ...{ body: { event_ids: left }, headers: { prefer: 'wait=30' } },
      });
      const { events, unread } = response.json<{ events: typeof found; unread: string[] }>();
      expect(unread.length).toBeLessThan(left.length);
      found.push(...events);
      left = unread;
    }
    expect(requests).toBe(2);
    expect(found.map((one) => [one.event_id, one.evaluations.length])).toEqual(ids.map((id) => [id, 10]));
  });
});
