import type { ServerResponse } from 'node:http';
import { chatCompletion, type ReceivedRequest } from '@assay/judges/test/fake-provider';
import type { JudgeOptions } from '@assay/judges';
import { waitFor } from '@assay/testing';
import { llmMetric, startFakeModel, type FakeModel } from '../../test/judge-fixture.js';
import { WorkerRun } from '../../test/worker-fixture.js';

const eventIds = (count: number) =>
  Array.from({ length: count }, (_, n) => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`);
const OWN = { api: 'openai', url: 'https://models.example.com' } as const;
/** Names of hosts that are not found, and of those that are looked up for ever. */
const UNKNOWN: JudgeOptions['resolveHost'] = () => Promise.reject(new Error('no such host'));
const HANGING: JudgeOptions['resolveHost'] = () => new Promise(() => undefined);

describe('endpoints of a provider that several projects name', () => {
  let model: FakeModel;
  let run: WorkerRun;
  let time: number;
  /** Responds to a request about an event of a project. */
  let respond: (projectId: string, response: ServerResponse) => unknown;
  const rate = (response: ServerResponse) => response.end(JSON.stringify(chatCompletion('[[5]]')));
  const promptOf = ({ body }: ReceivedRequest) =>
    (body['messages'] as readonly { content: string }[]).at(-1)?.content ?? '';

  async function start(options: Partial<JudgeOptions> = {}) {
    model = await startFakeModel([(response, request) => respond(promptOf(request), response)], options);
    const criteria = { criteria: '{{ project_id }}', model_parameters: null, add_instructions: false };
    run = new WorkerRun({ ...model.deps, now: () => time }, llmMetric(criteria));
    run.worker.assigned([0]);
  }
  const accept = (projectId: string, count: number) =>
    run.worker.accept(eventIds(count).map((id) => run.work(id, 0, projectId)));
  const requestsOf = (projectId: string) =>
    model.provider.requests.filter((request) => promptOf(request) === projectId).length;
  const statesOf = (projectId?: string) => run.worker.providers(projectId);
  const scored = (count: number) =>
    waitFor(`${count} scores`, () =>
      Promise.resolve(run.ended().filter((one) => one.endsWith('scored')).length === count),
    );
  const paused = (projectId: string) =>
    waitFor(`a pause of ${projectId}`, () =>
      Promise.resolve(statesOf(projectId).some(({ pausedUntil }) => pausedUntil > time)),
    );

  beforeEach(() => {
    time = 2_000;
    respond = (_, response) => rate(response);
  });
  afterEach(async () => {
    await run.worker.stop();
    await model.close();
  });

  it('are paused for the project whose own endpoint fails, and for no other one', async () => {
    const projectProvider = (id: string) => (id === 'broken' ? OWN : undefined);
    await start({ projectProvider, resolveHost: UNKNOWN });
    accept('broken', 8);
    await paused('broken');
    accept('good', 30);
    await scored(30);
    expect([requestsOf('good'), requestsOf('broken')]).toEqual([30, 0]);
    expect(statesOf('good')).toEqual([]);
    expect(statesOf()).toMatchObject([{ projectId: 'broken', provider: 'openai' }]);
  });

  it('are paused for the project whose requests a shared endpoint refuses, and for no other one', async () => {
    respond = (projectId, response) =>
      projectId === 'refused' ? response.writeHead(503).end('{}') : rate(response);
    await start();
    accept('refused', 8);
    await paused('refused');
    accept('good', 30);
    await scored(30);
    expect(requestsOf('good')).toBe(30);
    expect(statesOf('good')).toEqual([]);
  });

  it('continue for a project that was refused as soon as its own trial succeeds', async () => {
    const refused = new Set(['a', 'b']);
    respond = (projectId, response) =>
      refused.has(projectId) ? response.writeHead(503).end('{}') : rate(response);
    await start();
    for (const projectId of refused) accept(projectId, 8);
    for (const projectId of refused) await paused(projectId);
    refused.delete('a');
    time += 10_000;
    await scored(8);
    await paused('b');
    expect([statesOf('a'), statesOf('b')]).toMatchObject([[], [{ provider: 'openai' }]]);
  });

  it('evaluate events of a project while the own endpoints of others never respond', async () => {
    const projectProvider = (id: string) => (id === 'good' ? undefined : OWN);
    await start({ projectProvider, resolveHost: HANGING, timeoutMs: 600_000 });
    accept('hanging', 30);
    accept('hanging too', 30);
    accept('good', 30);
    await scored(30);
    expect([requestsOf('good'), model.provider.requests.length]).toEqual([30, 30]);
  });

  it('evaluate events of a project while a shared endpoint never responds to those of eight others', async () => {
    respond = (projectId, response) => (projectId === 'good' ? rate(response) : undefined);
    await start({ timeoutMs: 600_000 });
    const hanging = Array.from({ length: 8 }, (_, n) => `hanging ${n}`);
    for (const [index, taken] of [16, 24, 28, 30, 31, 32, 33, 34].entries()) {
      accept(hanging[index]!, 50);
      const isTaken = () => Promise.resolve(model.provider.requests.length === taken);
      await waitFor(`${taken} places are taken`, isTaken);
    }
    accept('good', 30);
    await scored(30);
    expect(requestsOf('good')).toBe(30);
    for (const projectId of hanging) expect(requestsOf(projectId)).toBeLessThanOrEqual(16);
  });

  it('evaluate events of a third project while a shared endpoint never responds to those of two', async () => {
    respond = (projectId, response) => (projectId === 'good' ? rate(response) : undefined);
    await start({ timeoutMs: 600_000 });
    const hanging = ['hanging', 'hanging too'];
    for (const projectId of hanging) accept(projectId, 50);
    // As many as a project gets alone, and more than one of two may have.
    await waitFor('the endpoint hangs', () => Promise.resolve(model.provider.requests.length > 20));
    accept('good', 30);
    await scored(30);
    expect(requestsOf('good')).toBe(30);
    for (const projectId of hanging) expect(requestsOf(projectId)).toBeLessThanOrEqual(16);
  });
});
