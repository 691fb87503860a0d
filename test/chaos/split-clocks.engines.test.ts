import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';

const FIVE_MINUTES_MS = 300_000;
const UPDATES = 20;
/** The number of the ingestion process, by its clock. */
const PROCESSES = [
  ['fast', 0],
  ['exact', 1],
] as const;
const SHIFT = join(__dirname, '../harness/processes/clock-ahead.cjs');

describe('services whose clocks differ by ten minutes', () => {
  const clocks = mkdtempSync(join(tmpdir(), 'assay-clocks-'));
  afterAll(() => rmSync(clocks, { recursive: true, force: true }));
  const shifted = (name: string, ms: number) => {
    writeFileSync(join(clocks, name), String(ms));
    return { CLOCK_AHEAD_FILE: join(clocks, name), NODE_OPTIONS: `--require=${SHIFT}` };
  };
  const { stack, client } = onStack(() =>
    startSplit(enginesFromEnvironment(), {
      ingestions: 2,
      ingestion: shifted('ahead', FIVE_MINUTES_MS),
      dataPlane: shifted('behind', -FIVE_MINUTES_MS),
    }),
  );
  /** The first one is ahead, the second one exact; the data plane is behind. */
  const clients = () =>
    ['ingestion', 'ingestion-2'].map(
      (name) => new Client({ baseUrl: stack.urlOf(name), apiKey: stack.apiKey }),
    );
  const create = async (through: Client, event_id: string, marker: string) =>
    expect(
      (await through.post('/v1/events', { event_id, event_type: 'tool', inputs: {}, metadata: { marker } }))
        .status,
    ).toBe(200);
  const found = async (marker: string) => {
    const filters = [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string' }];
    return (await client.search({ filters })).events;
  };

  it('have different clocks', async () => {
    const marker = randomUUID();
    for (const through of clients()) await create(through, randomUUID(), marker);
    const [first, second] = (await found(marker)).map(({ start_time }) => Number(start_time)).sort();
    expect(second! - first!).toBeGreaterThan(FIVE_MINUTES_MS / 2);
  });

  it.each(PROCESSES)(
    'find the last update on the log, sent to the process with the %s clock',
    async (_, last) => {
      const [event_id, marker] = [randomUUID(), randomUUID()];
      await create(clients()[1 - last]!, event_id, marker);
      for (let count = 1; count <= UPDATES; count++) {
        const through = clients()[(count + UPDATES + last) % 2]!;
        const { status } = await through.call('PUT', `/v1/events/${event_id}`, {
          body: { metrics: { count } },
        });
        expect(status).toBe(200);
      }
      expect(await found(marker)).toMatchObject([{ event_id, metrics: { count: UPDATES } }]);
    },
  );

  it.each(PROCESSES)('find no event after a delete by the process with the %s clock', async (_, last) => {
    const [event_id, marker] = [randomUUID(), randomUUID()];
    await create(clients()[1 - last]!, event_id, marker);
    expect(await found(marker)).toHaveLength(1);
    expect((await clients()[last]!.call('DELETE', `/v1/events/${event_id}`)).status).toBe(200);
    expect(await found(marker)).toEqual([]);
  });
});
