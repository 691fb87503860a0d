import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES, type DeletionReceipt } from '@assay/contracts';
import { storeValuesPlainly } from '@assay/event-store/test/purge-fixture';
import { waitFor } from '@assay/testing';
import { seeded } from '../bench/prose.js';
import { callUntilServed } from '../harness/stack/call-until-served.js';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { TaintedRequests } from './tainted-requests.js';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const random = seeded(seed);
/** Requests to each route of ingestion. */
const ROUNDS = 4;
const WITHIN = { withinMs: 300_000, pollIntervalMs: 200 };
const HOUR = 3_600_000;
/** After the times of the log and of the purge, which are an hour each. */
const LATER_MS = 3 * HOUR;
/** Begins every text of the events that are deleted, of a datapoint that is deleted, and of an event of another project. */
const [EVENT_WORD, DATAPOINT_WORD, KEPT_WORD] = ['canary0z', 'linnet0z', 'wren0z'];

describe(`what a verified deletion leaves on the disk (SEED=${seed})`, () => {
  const clock = mkdtempSync(join(tmpdir(), 'assay-clock-'));
  const clockFile = join(clock, 'ahead');
  afterAll(() => rmSync(clock, { recursive: true, force: true }));
  const { stack, client } = onStack(() =>
    startStandalone({
      ...{ PURGE_DELETED_HOURS: '1', LOG_RETENTION_HOURS: '1', CLOCK_AHEAD_FILE: clockFile },
      NODE_OPTIONS: `--require=${join(__dirname, '../harness/processes/clock-ahead.cjs')}`,
    }),
  );
  /** Lists the files again when the engine has removed one of them meanwhile: its rows may be in a newer one. */
  function filesWith(word: string, lists = 20): string[] {
    try {
      return filesBelow(stack.dir).filter((path) => readFileSync(path).includes(word));
    } catch (error) {
      if (lists === 1 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return filesWith(word, lists - 1);
    }
  }
  const isInStore = () => filesWith(EVENT_WORD).some((path) => path.includes('/events/'));
  const isPurged = async () => {
    const text = await readMetrics(stack.adminUrl('standalone'));
    const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return valueOf('assay_deleted_rows_purged_total') > 0 && valueOf('assay_deleted_oldest_seconds') === 0;
  };
  const receiptOf = async (id: string) => {
    const { text } = await client.call('GET', `/v1/deletions/${id}`);
    return { text, ...(JSON.parse(text) as { deletion: DeletionReceipt }).deletion };
  };

  async function sendCanaries(): Promise<void> {
    const requests = new TaintedRequests(EVENT_WORD, random);
    const routes = ROUTES.filter(({ owner, method }) => owner === 'ingestion' && method !== 'DELETE');
    for (let round = 0; round < ROUNDS; round++)
      for (const route of routes) {
        const { path, headers, bytes } = requests.request(route);
        const sent = { key: stack.apiKey, headers, ...(bytes && { bytes }), refused: () => undefined };
        await callUntilServed(client, route, path, sent);
      }
    const plain = { event_type: 'tool', inputs: { q: requests.text() } };
    expect((await client.post('/v1/events', plain)).status).toBe(200);
  }

  async function deleteDatapoint(): Promise<void> {
    const dataset = await client.post('/v1/datasets', { name: 'd' });
    const id = dataset.json<{ result: { insertedId: string } }>().result.insertedId;
    const inputs = { q: `${DATAPOINT_WORD}${'0123456789'.repeat(5_000)}` };
    const made = await client.post('/v1/datapoints', { inputs, linked_datasets: [id] });
    expect(made.status).toBe(200);
    const point = made.json<{ result: { insertedId: string } }>().result.insertedId;
    expect((await client.call('DELETE', `/v1/datapoints/${point}`)).status).toBe(200);
  }

  async function keepEventOfAnotherProject(): Promise<void> {
    const made = await client.post('/v1/projects', { name: 'kept' }, { key: stack.adminToken });
    const other = new Client(stack, made.json<{ api_key: string }>().api_key);
    await other.post('/v1/events', { event_type: 'tool', inputs: { q: KEPT_WORD } });
    expect((await other.search({ filters: [], limit: 1 })).count).toBeGreaterThan(0);
  }

  it('is in no byte of the folder, whenever the process is killed', async () => {
    await stack.terminate('standalone');
    await storeValuesPlainly(join(stack.dir, 'data', 'events'), 'assay');
    await stack.start('standalone');
    await sendCanaries();
    await deleteDatapoint();
    await keepEventOfAnotherProject();
    expect(filesWith(EVENT_WORD)).not.toEqual([]);

    const end = new Date(Date.now() + HOUR).toISOString();
    const body = { dateRange: { $lte: end } };
    const dry = (await client.post('/v1/deletions', { ...body, dry_run: true })).json<{ count: number }>();
    expect(dry.count).toBeGreaterThan(ROUNDS * 4);
    const made = await client.post('/v1/deletions', { ...body, confirm: dry.count });
    const { id } = made.json<{ id: string }>();
    const reaches = (...states: readonly string[]) =>
      waitFor(
        `the deletion is ${states.join(' or ')}`,
        async () => states.includes((await receiptOf(id)).state),
        WITHIN,
      );
    const kill = async () => {
      await stack.kill('standalone');
      await stack.start('standalone');
    };
    await kill();
    await reaches('deleted', 'erased', 'verified');
    writeFileSync(clockFile, String(LATER_MS));
    await kill();
    await waitFor('nothing deleted is on the disk', isPurged, WITHIN);
    await kill();
    // The first look at a deletion follows the start, further ones after minutes.
    await reaches('erased', 'verified');
    await waitFor('the engine has removed former parts', () => Promise.resolve(!isInStore()), WITHIN);
    await kill();
    await reaches('verified');
    await waitFor('the log has no record of them', async () => (await receiptOf(id)).log.gone, WITHIN);
    const { text, rows, matched } = await receiptOf(id);
    expect(text).not.toContain(EVENT_WORD);
    expect(matched).toBeGreaterThanOrEqual(dry.count);
    expect(rows.events).toBeGreaterThanOrEqual(dry.count);

    await stack.terminate('standalone');
    expect([EVENT_WORD, DATAPOINT_WORD].flatMap((word) => filesWith(word))).toEqual([]);
    expect(filesWith(KEPT_WORD)).not.toEqual([]);
    await stack.start('standalone');
    expect((await client.search({ filters: [], limit: 1 })).count).toBe(0);
  }, 600_000);
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
