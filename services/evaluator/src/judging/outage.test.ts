import type { ServerResponse } from 'node:http';
import { chatCompletion, type ReceivedRequest } from '@assay/judges/test/fake-provider';
import { waitFor } from '@assay/testing';
import { llmMetric, startFakeModel, type FakeModel } from '../../test/judge-fixture.js';
import { WorkerRun } from '../../test/worker-fixture.js';
import type { WorkerOptions } from './worker.js';

const EVENTS = Array.from(
  { length: 30 },
  (_, n) => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`,
);
const START = 2_000;

type Provider = (response: ServerResponse, request: ReceivedRequest) => void;

const rating: Provider = (response) => response.end(JSON.stringify(chatCompletion('[[5]]')));
const refusing =
  (status: number, headers: Record<string, string> = {}): Provider =>
  (response) =>
    response.writeHead(status, headers).end('{"error": {"code": "unavailable"}}');
const closing: Provider = (response) => response.destroy();

describe('evaluations during an outage of the model provider', () => {
  let model: FakeModel;
  let run: WorkerRun;
  let provider: Provider;
  let time: number;
  const requests = () => model.provider.requests.length;
  const start = (options: Partial<WorkerOptions> = {}) => {
    run = new WorkerRun({ ...model.deps, now: () => time, ...options }, llmMetric());
    run.worker.assigned([0]);
  };
  const accept = (events = EVENTS) => run.worker.accept(events.map((id) => run.work(id, 0)));
  const becomes = (what: string, condition: () => boolean) =>
    waitFor(what, () => Promise.resolve(condition()));
  /**
   * Waits until no call runs: all these evaluations wait again, so the failures of all calls are known. Calls that had begun before a
   * pause may still send their requests.
   */
  const settled = (count = EVENTS.length) =>
    waitFor('no call runs', async () => requests() > 0 && (await run.waiting()) === count);
  const state = () => run.worker.providers()[0];
  const paused = () => becomes('a pause', () => (state()?.pausedUntil ?? 0) > time);
  const scored = (count: number) =>
    becomes(`${count} scores`, () => run.ended().filter((one) => one.endsWith('scored')).length === count);
  /** Advances the clock through a number of seconds, with a look of the worker at each. */
  const seconds = (count: number) => (time += count * 1_000);

  beforeEach(async () => {
    [time, provider] = [START, rating];
    model = await startFakeModel([(response, request) => provider(response, request)]);
  });
  afterEach(async () => {
    await run.worker.stop();
    await model.close();
  });

  it('are all scored after 12 s of status 503, within 30 s, with few requests and one attempt each', async () => {
    provider = refusing(503);
    start();
    accept();
    await paused();
    await settled();
    // Those of a project that run together, and those that began before the fifth had failed.
    const first = requests();
    expect(first).toBeLessThanOrEqual(16 + 4);
    expect(state()).toMatchObject({ pausedUntil: START + 10_000 });
    seconds(10);
    await becomes('a trial', () => requests() === first + 1);
    await paused();
    expect(state()).toMatchObject({ pausedUntil: START + 30_000 });
    provider = rating;
    seconds(20);
    await scored(30);
    expect(time - START - 12_000).toBeLessThanOrEqual(30_000);
    expect(requests()).toBe(first + 1 + 30);
    expect(
      run.evaluations.filter(({ decision }) => decision === 'scored').map(({ attempts }) => attempts),
    ).toEqual(EVENTS.map(() => 1));
    expect(run.worker.providers()).toEqual([]);
  });

  it.each([429, 502, 503, 504, 529])(
    'are never ended by status %i, however often it occurs',
    async (status) => {
      provider = refusing(status);
      start();
      accept(EVENTS.slice(0, 1));
      for (let calls = 1; calls <= 4; calls++) {
        await becomes(`${calls} calls`, () => requests() === calls);
        await becomes('no recorded attempt', () => run.evaluations.at(-1)?.attempts === 0);
        seconds(300);
      }
      provider = rating;
      seconds(300);
      await scored(1);
    },
  );

  it('are not called before the time that Retry-After states, and then immediately', async () => {
    provider = refusing(429, { 'retry-after': '7' });
    start();
    accept();
    await paused();
    await settled();
    provider = rating;
    time = (state()?.pausedUntil ?? 0) - 1;
    expect(time - START).toBe(6_999);
    const before = requests();
    time += 1;
    await scored(30);
    expect(requests()).toBe(before + 30);
  });

  it('continue in the next process after a crash, with the attempts that were answered not counted', async () => {
    provider = refusing(503);
    start();
    accept(EVENTS.slice(0, 5));
    await paused();
    await becomes(
      'no recorded attempt',
      () => run.evaluations.filter(({ attempts }) => attempts === 0).length === 5,
    );
    await run.worker.stop();
    const rows = EVENTS.slice(0, 5).map((id) => ({ ...run.row(id, 0), attempts: 0 }));
    provider = rating;
    start();
    run.pending = rows;
    await scored(5);
  });

  it('end with an error once they are older than the maximum age, also while the provider is paused', async () => {
    provider = refusing(503);
    start({ maxAgeMs: 3_600_000 });
    accept();
    await paused();
    await settled();
    const before = requests();
    time = START + 3_600_000;
    await becomes('errors', () => run.ended().filter((one) => one.endsWith('error')).length === 30);
    expect(requests() - before).toBeLessThanOrEqual(1);
    const { errorClass, reason } = run.evaluations.at(-1)!;
    expect([errorClass, reason]).toEqual([
      'execution_error',
      expect.stringMatching(/; the evaluation has waited too long and is not repeated$/),
    ]);
  });

  it('call a provider that does not respond ever more rarely', async () => {
    provider = closing;
    start();
    accept(EVENTS.slice(0, 1));
    const sentAt: number[] = [];
    for (let calls = 1; calls <= 4; calls++) {
      await becomes(`${calls} calls`, () => requests() === calls);
      await settled(1);
      sentAt.push((time - START) / 1_000);
      seconds(10 * 2 ** (calls - 1));
    }
    expect(sentAt).toEqual([0, 10, 30, 70]);
    expect(run.ended()).toEqual([]);
  });
});
