import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@assay/domain';
import { serveRuns, type ServedRuns } from '../../test/run-fixture.js';

const DAY = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;

describe('the list of sessions', () => {
  const starts = { before: -1, midnight: 0, noon: 12, late: 24 - 1e-7, after: 24 };
  let served: ServedRuns;
  beforeAll(async () => {
    served = await serveRuns();
    const sessions = Object.entries(starts).map(([name, hours]) => {
      const id = randomUUID();
      const start_time = DAY + hours * HOUR;
      return { event_id: id, session_id: id, event_type: 'session', event_name: name, start_time } as const;
    });
    const [first] = sessions;
    await served.add([
      ...sessions.map((session, index) => ({
        ...session,
        end_time: null,
        duration: null,
        metadata: { tier: index < 3 ? 'gold' : 'free' },
        inputs: { question: `is it ${session.event_name}?` },
      })),
      {
        session_id: first?.session_id,
        event_type: 'model',
        start_time: DAY - HOUR,
        metadata: { cost: 0.5 },
        error: 'failed',
      },
    ]);
  });
  afterAll(() => served.stop());

  const list = async (query: Readonly<Record<string, unknown>>) => {
    const text = Object.entries(query).map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    );
    return served.call(`/v1/sessions?${text.join('&')}`);
  };
  const names = async (query: Readonly<Record<string, unknown>>) => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    return (body['sessions'] as JsonObject[]).map((one) => one['session_name']);
  };

  it('shows what the sessions began with when that is asked for', async () => {
    const { body } = await list({ preview_chars: 20, limit: 1 });
    const [row] = body['sessions'] as JsonObject[];
    expect(row).toMatchObject({
      session_name: 'after',
      inputs_preview: '{"question":"is it a',
      outputs_preview: '{}',
    });
    expect(row?.['preview_event_id']).toBe(row?.['session_id']);
    const [plain] = (await list({ limit: 1 })).body['sessions'] as JsonObject[];
    expect(plain).not.toHaveProperty('inputs_preview');
    expect((await list({ preview_chars: 501 })).status).toBe(400);
  });

  it.each([
    [{ dateRange: { $gte: '2026-03-01', $lte: '2026-03-01' } }],
    [{ 'dateRange[$gte]': '2026-03-01', 'dateRange[$lte]': '2026-03-01' }],
    [{ from: '2026-03-01', to: '2026-03-01' }],
    [{ $gte: '2026-03-01', $lte: '2026-03-01' }],
    [{ dateRange: { $gte: '2026-03-01' }, to: '2026-03-01' }],
  ])('includes the whole last day: %j', async (query) => {
    expect(await names(query)).toEqual(['late', 'noon', 'midnight']);
  });

  it.each<[object, readonly string[]]>([
    [{ field: 'metadata.tier', value: 'gold' }, ['noon', 'midnight', 'before']],
    [{ field: 'inputs.question', operator: 'contains', value: 'NOON' }, ['noon']],
    [{ field: 'metadata.num_errors', operator: '$gt', value: 0 }, ['before']],
    [{ field: 'metadata.cost', operator: '$gte', value: 0.5, type: 'number' }, ['before']],
    [{ field: 'metadata.tier', value: { $ne: 'gold' } }, ['after', 'late']],
  ])('has the sessions that satisfy %j', async (filter, wanted) => {
    expect(await names({ filters: [filter] })).toEqual(wanted);
  });

  it('has pages with filters', async () => {
    const query = { filters: [{ field: 'metadata.tier', value: 'gold' }], limit: '2' };
    const first = await list(query);
    const cursor = first.body['next_cursor'];
    expect((first.body['sessions'] as JsonObject[]).map((one) => one['session_name'])).toEqual([
      'noon',
      'midnight',
    ]);
    expect(await names({ ...query, cursor })).toEqual(['before']);
  });

  it.each([
    ['from', { from: 'yesterday' }],
    ['to', { to: '2026-02-30' }],
    ['dateRange', { dateRange: { $lte: 'x' } }],
    ['filters', { filters: [{ field: 'a', operator: 'like', value: 1 }] }],
  ])('refuses an invalid %s', async (name, query) => {
    const { status, body } = await list(query);
    expect([status, body['message']]).toEqual([400, expect.stringContaining(name)]);
  });
});
