import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AlertDelivery, AlertTurn, ClaimedAlert, SavedAlert } from '@assay/control-plane-client';
import { acceptRedaction, NO_REDACTION } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { createOutboundHttp, OutboundError, type OutboundHttp } from '@assay/judges/outbound';
import { createMetrics } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeEvaluateAlert } from './evaluate-alert.js';
import { makeSendMessage } from './send-message.js';
import { startAlerts } from './start-alerts.js';

const MINUTE = 60_000;
const END = 1_790_000_040_000;
const ALERT: ClaimedAlert = {
  ...{ projectId: 'p1', alertId: 'a1', revision: 1, metric: 'duration', func: 'avg', query: [], part: null },
  ...{ operator: 'above', compare: 'value', threshold: 5, resolve_threshold: null, window_minutes: 1 },
  ...{ ends: [END], missed: 0, lateMs: 0 },
};
const TEXT = { operator: 'is', type: 'string' } as const;
const options = { signal: new AbortController().signal };

describe('the windows of an alert', () => {
  let stored: StoredEvents;
  beforeAll(async () => {
    stored = await startStoredEvents();
    const at = (minutesBefore: number, fields: object) => ({
      ...{ start_time: END - minutesBefore * MINUTE, duration: 10, metadata: { tokens: 7 }, ...fields },
    });
    await stored.add([
      at(1, { event_name: 'first', error: 'e' }),
      at(0.5, { duration: 30 }),
      at(1.5, { duration: 4 }),
      at(0, { duration: 1_000, event_name: 'of the next window' }),
      at(0.5, { project_id: 'p2', duration: 1_000 }),
      at(0.5, { event_type: 'tool', metadata: { cost: 3 } }),
      at(0.5, { metadata: { total_tokens: 5, model: 'gpt-unknown' } }),
    ]);
  });
  afterAll(() => stored.stop());
  const windows = (alert: Partial<ClaimedAlert>, redaction = NO_REDACTION) =>
    makeEvaluateAlert({ store: stored.store, redaction })({ ...ALERT, ...alert }, options);
  const value = async (alert: Partial<ClaimedAlert>) => (await windows(alert))[0]?.value;

  it('have the value of the events that start in them, of the project alone', async () => {
    expect(await windows({})).toEqual([{ end: END, outcome: 'breach', value: 15 }]);
    expect(await windows({ threshold: 15 })).toMatchObject([{ outcome: 'clear' }]);
    expect(await value({ query: [{ field: 'event_name', value: 'first', ...TEXT }] })).toBe(10);
    expect(await value({ window_minutes: 2, func: 'min' })).toBe(4);
    expect(await windows({ ends: [END - MINUTE, END], func: 'max' })).toMatchObject([
      { end: END - MINUTE, value: 4 },
      { end: END, value: 30 },
    ]);
  });

  it('have a share of events, and a change against the window before', async () => {
    expect(await value({ part: [{ field: 'error', value: 'e', ...TEXT }] })).toBe(25);
    expect(await value({ compare: 'change', func: 'max' })).toBe(650);
  });

  it('have no data without a value, and a count of 0 without an event', async () => {
    const query = [{ field: 'event_name', value: 'none', ...TEXT }];
    const none = [{ end: END, outcome: 'no_data', value: null }];
    expect(await windows({ query })).toEqual(none);
    expect(await windows({ query, part: [] })).toEqual(none);
    expect(await windows({ metric: 'metadata.unheard_of', func: 'avg' })).toEqual(none);
    expect(await windows({ ends: [END - MINUTE], compare: 'change' })).toMatchObject([
      { outcome: 'no_data' },
    ]);
    expect(await windows({ query, func: 'count', operator: 'below', threshold: 1 })).toEqual([
      { end: END, outcome: 'breach', value: 0 },
    ]);
  });

  it('are compared, and keep a value that redaction keeps in the data plane', async () => {
    const redacted = acceptRedaction({ redactFields: ['metadata.tokens'], redactValues: false });
    const tokens = { metric: 'metadata.tokens', func: 'max' };
    expect(await windows(tokens, redacted)).toEqual([{ end: END, outcome: 'breach', value: null }]);
    expect(await windows(tokens)).toEqual([{ end: END, outcome: 'breach', value: 7 }]);
    expect(await windows({ ...tokens, func: 'count' }, redacted)).toMatchObject([{ value: 2 }]);
  });
});

const MESSAGE: AlertDelivery = {
  id: 'm1',
  url: 'https://example.com/hook',
  secret: 's'.repeat(20),
  body: '{}',
};
const stopping = new AbortController().signal;

describe('a message of an alert', () => {
  const respond = (status: number) => () =>
    Promise.resolve({ status, retryAfter: undefined, body: 'a body that nothing repeats' });
  const sender = (post: OutboundHttp['post'], allowedHosts: string[] = []) =>
    makeSendMessage({ outbound: { post }, receivers: { allowedHosts }, now: () => 1_790_000_000_500 });

  it('is signed with its time', async () => {
    const sent: Record<string, string>[] = [];
    const send = sender((request) => {
      sent.push(request.headers);
      return respond(200)();
    });
    expect(await send(MESSAGE, stopping)).toEqual({ id: 'm1', error: null, final: true });
    await send({ ...MESSAGE, secret: null }, stopping);
    const signature = createHmac('sha256', MESSAGE.secret!).update('1790000000.{}').digest('hex');
    expect(sent).toMatchObject([
      { 'x-assay-signature': `v1=${signature}`, 'x-assay-timestamp': '1790000000', 'x-assay-delivery': 'm1' },
      { 'x-assay-timestamp': '1790000000' },
    ]);
    expect(sent[1]).not.toHaveProperty('x-assay-signature');
  });

  it.each([
    [204, null, true],
    [302, 'status 302', false],
    [503, 'status 503', false],
    [410, 'status 410', true],
  ])('with the response %i has the outcome %s', async (status, error, final) => {
    expect(await sender(respond(status))(MESSAGE, stopping)).toEqual({ id: 'm1', error, final });
  });

  it('is repeated when there is no response', async () => {
    const send = sender(() => Promise.reject(new OutboundError('timeout', 'late')));
    expect(await send(MESSAGE, stopping)).toEqual({ id: 'm1', error: 'timeout', final: false });
  });

  it.each([
    'http://example.com/hook',
    'https://127.0.0.1/hook',
    'https://169.254.169.254/latest',
    'https://[::1]/hook',
    'https://localhost/hook',
    'https://10.0.0.1/hook',
    'https://example.com:8443/hook',
    'https://2130706433/hook',
  ])('is never sent to %s', async (url) => {
    const outbound = createOutboundHttp();
    const send = makeSendMessage({
      outbound,
      receivers: { allowedHosts: ['other.example.com'] },
      now: Date.now,
    });
    expect(await send({ ...MESSAGE, url }, stopping)).toEqual({ id: 'm1', error: 'refused', final: true });
    outbound.close();
  });
});

describe('a process that evaluates alerts', () => {
  /** Its rest is longer than the time between two claims. */
  const RECEIVER_MS = 2_000;
  const nothing: SavedAlert = { deliveries: [], entered: [], failed: 0, dropped: 0 };

  it('sends what waits while the store is unavailable, in order up to the first failure', async () => {
    const turns: AlertTurn[] = [];
    const metrics = createMetrics({ processMetrics: false });
    const warned: object[] = [];
    let isDue = true;
    const second = { ...MESSAGE, id: 'm2' };
    const alerts = startAlerts({
      controlPlane: {
        claimAlert: () => {
          const claimed = isDue ? ALERT : undefined;
          isDue = false;
          return Promise.resolve(claimed);
        },
        saveAlert: (turn) => {
          turns.push(turn);
          const entered = ['firing'] as const;
          return Promise.resolve(
            turns.length === 1 ? { ...nothing, deliveries: [MESSAGE, second], entered, dropped: 1 } : nothing,
          );
        },
      },
      store: { aggregates: { chart: () => Promise.reject(unavailable('the store is unavailable')) } },
      redaction: NO_REDACTION,
      requireStored: () => Promise.resolve(),
      outbound: { post: () => Promise.resolve({ status: 500, retryAfter: undefined, body: '' }) },
      receivers: { allowedHosts: [] },
      now: Date.now,
      logger: { warn: (_message, fields = {}) => void warned.push(fields) },
      metrics,
    });
    await waitFor('the turn has ended', () => Promise.resolve(warned.length === 1));
    await alerts.stop();
    expect(turns).toMatchObject([
      { windows: [], releases: false },
      { windows: [], releases: false, sent: [{ id: 'm1', error: 'status 500', final: false }] },
    ]);
    expect(turns[1]?.sent).toHaveLength(1);
    const text = await metrics.text();
    for (const line of [
      'assay_alert_changes_total{state="firing"} 1',
      'assay_alert_messages_given_up_total{cause="dropped"} 1',
      'assay_alert_attempts_total{outcome="failed"} 1',
    ])
      expect(text).toContain(line);
    expect(JSON.stringify(warned)).not.toContain(MESSAGE.url);
  });

  it('gives a project whose receiver was slow no turn for a while, so that others have one', async () => {
    const busy: (readonly string[])[] = [];
    let respondedAt = Infinity;
    const post = async () => {
      await delay(RECEIVER_MS);
      respondedAt = busy.length;
      return { status: 200, retryAfter: undefined, body: '' };
    };
    const alerts = startAlerts({
      controlPlane: {
        claimAlert: ({ busyProjectIds }) => {
          busy.push(busyProjectIds);
          return Promise.resolve(busy.length === 1 ? { ...ALERT, ends: [] } : undefined);
        },
        saveAlert: ({ sent }) =>
          Promise.resolve({ ...nothing, deliveries: sent.length === 0 ? [MESSAGE] : [] }),
      },
      store: { aggregates: { chart: () => Promise.reject(unavailable('nothing is read')) } },
      ...{ redaction: NO_REDACTION, receivers: { allowedHosts: [] }, now: Date.now, outbound: { post } },
      requireStored: () => Promise.resolve(),
      logger: { warn: () => undefined },
      metrics: createMetrics({ processMetrics: false }),
    });
    await waitFor('a claim after the turn', () => Promise.resolve(busy.length > respondedAt));
    await alerts.stop();
    expect(busy.at(-1)).toEqual([ALERT.projectId]);
  });
});
