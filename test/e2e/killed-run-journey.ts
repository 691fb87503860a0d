import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import type { onStack } from '../harness/stack/on-stack.js';
import { naiveAverages, naiveComparison, naiveResult } from './naive-run-numbers.js';
import { makeRun, SESSIONS, START, writesOf, type SentRun, type Write } from './sent-run.js';

/** Generous: a consumer group keeps the partitions of a killed member until its session ends. */
const PATIENT = { withinMs: 180_000, pollIntervalMs: 100 } as const;
const TEST_WITHIN_MS = 600_000;

/** Repeats a write, as clients do, until it is acknowledged. @throws when it is rejected */
function acknowledged(write: Write): Promise<true> {
  const attempt = async () => {
    const response = await write().catch(() => undefined);
    if (response !== undefined && response.status !== 200 && response.status !== 503)
      throw new Error(`a write returned ${response.status}: ${response.text}`);
    return response?.status === 200;
  };
  return waitFor('a write is acknowledged', attempt, PATIENT);
}

/** The journey of two runs that are written while processes are killed. */
export function killedRunJourney({ stack, client }: ReturnType<typeof onStack>): void {
  async function restart(service = 'standalone'): Promise<void> {
    await stack.kill(service);
    await stack.start(service);
  }

  /** Kills a process once half of the writes are acknowledged, and starts it again. */
  async function killDuring(writes: readonly Write[], service: string): Promise<void> {
    let count = 0;
    const sending = writes.map(async (write) => {
      await acknowledged(write);
      count++;
    });
    const isHalf = () => count >= writes.length / 2;
    const half = waitFor('half of the writes are acknowledged', isHalf, { withinMs: 180_000 });
    const restarted = half.then(() => restart(service));
    await Promise.all([...sending, restarted]);
  }

  /** Reads until the response contains everything that was accepted. */
  const readCurrent = (path: string) =>
    waitFor(
      `current numbers of ${path}`,
      async () => {
        const response = await client.call('GET', path, { headers: { prefer: 'wait=30' } });
        const isCurrent = response.headers.get('assay-freshness') === 'current';
        return response.status === 200 && isCurrent && sorted(response.json<object>());
      },
      PATIENT,
    );

  function readNumbers(old: SentRun, now: SentRun): Promise<object[]> {
    const range = encodeURIComponent(JSON.stringify({ $gte: START, $lte: START + 1_000 }));
    const chart = `metric=accuracy&aggregation=sum&dateRange=${range}&evaluation_id=${now.run_id}`;
    const paths = [
      ...[old, now].map(({ run_id }) => `/v1/runs/${run_id}/result`),
      ...[old, now].map(({ run_id }) => `/v1/runs/${run_id}/summary?aggregate_function=max`),
      `/v1/runs/${now.run_id}/compare/${old.run_id}`,
      `/v1/events/chart?${chart}`,
      `/v1/runs?run_ids[]=${old.run_id}&run_ids[]=${now.run_id}&sort_by=name&sort_order=asc`,
    ];
    return Promise.all(paths.map(readCurrent));
  }

  function expectedNumbers(old: SentRun, now: SentRun): object[] {
    const listed = [old, now].map(({ run_id, scores }) => ({ run_id, metrics: naiveAverages(scores) }));
    const sum = now.scores.reduce((all, { accuracy }) => all + accuracy, 0);
    return [
      ...[old, now].map(({ scores }) => naiveResult(scores, 'average')),
      ...[old, now].map(({ scores }) => naiveResult(scores, 'max')),
      naiveComparison(old.scores, now.scores),
      { totalEvents: SESSIONS, events: [{ value: sum }] },
      { metrics: ['accuracy', 'polite'], evaluations: listed },
    ];
  }

  it(
    'computes the numbers of all acknowledged writes, each once, although processes are killed and writes repeated',
    async () => {
      const isSplit = stack.kind === 'split';
      const serviceFor = (name: string) =>
        isSplit ? new Client({ baseUrl: stack.urlOf(name), apiKey: stack.apiKey }) : client;
      const services = { runs: serviceFor('control-plane'), events: serviceFor('ingestion') };
      const old = makeRun({ name: 'killed 1', first: 0, factor: 7, isNamedByEvents: false });
      const now = makeRun({ name: 'killed 2', first: 4, factor: 11, isNamedByEvents: true });
      const [ofOld, ofNow] = [writesOf(old, services), writesOf(now, services)];
      const repeatAll = () => Promise.all([...ofOld, ...ofNow].map(acknowledged));
      if (isSplit) {
        // A consumer group keeps the partitions of the killed data plane for 30 s. Ingestion is killed meanwhile.
        const accepting = killDuring(ofNow, 'ingestion').then(repeatAll);
        await Promise.all([killDuring(ofOld, 'data-plane'), accepting]);
      } else {
        await killDuring([...ofOld, ...ofNow], 'standalone');
        await repeatAll();
      }
      const numbers = await readNumbers(old, now);
      expect(numbers).toMatchObject(expectedNumbers(old, now));
      if (!isSplit) {
        await restart();
        expect(await readNumbers(old, now)).toEqual(numbers);
      }
      await repeatAll();
      if (!isSplit) await restart();
      expect(withoutChangeTimes(await readNumbers(old, now))).toEqual(withoutChangeTimes(numbers));
    },
    TEST_WITHIN_MS,
  );
}

/** Sorts the lists of metrics by name: their order follows that of the keys of `metrics`, which merges may change. */
function sorted(body: object): object {
  const nameOf = (one: object) =>
    'metric_name' in one ? one.metric_name : 'name' in one ? one.name : undefined;
  const isNamed = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && nameOf(value) !== undefined;
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    Array.isArray(value) && value.every(isNamed)
      ? [...value].sort((a, b) => String(nameOf(a)).localeCompare(String(nameOf(b))))
      : value,
  ) as object;
}

/** The repeated request to create a run changes when it was updated. */
function withoutChangeTimes(bodies: unknown): unknown {
  return JSON.parse(JSON.stringify(bodies, (key, value: unknown) => (key === 'updated_at' ? null : value)));
}
