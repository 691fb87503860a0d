import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { eventJourney } from '../e2e/event-journey.js';
import { redactionJourney } from '../e2e/redaction-journey.js';
import { repeatedRequestsJourney } from '../e2e/repeated-requests-journey.js';
import { runJourney } from '../e2e/run-journey.js';
import { sessionJourney } from '../e2e/session-journey.js';
import { Client } from '../harness/stack/client.js';
import { startRecordingProxy, type RecordingProxy } from '../harness/stack/recording-proxy.js';
import { enginesFromEnvironment } from '../harness/stack/start-split.js';
import { buildImages } from './build-images.js';
import { startChartStack, type ChartStack } from './chart-stack.js';
import { IMAGE_USER } from './container.js';
import { readImage } from './image.js';

const PROGRAMS = ['ingestion', 'data-plane', 'evaluator', 'control-plane'];
/** Installs the packages, compiles, and waits for the processes one after the other. */
const START_WITHIN_MS = 1_800_000;
const RESTART_TEST_MS = 300_000;

async function evaluatesByMetric(client: Client): Promise<void> {
  const name = `evaluated ${randomUUID()}`;
  const filterArray = [{ field: 'event_name', operator: 'is', value: name, type: 'string' }];
  const python = { name: 'length', type: 'PYTHON', criteria: 'result = len(outputs["text"])' };
  const sampled = { enabled_in_prod: true, sampling_percentage: 100, filters: { filterArray } };
  expect((await client.post('/v1/metrics', { ...python, ...sampled })).status).toBe(200);
  const event = { event_type: 'model', event_name: name, inputs: {}, outputs: { text: 'four' } };
  const { event_id } = (await client.post('/v1/events', event)).json<{ event_id: string }>();
  const scored = [{ field: 'metrics.length', operator: 'is', value: 4, type: 'number' }];
  const { events } = await waitFor(
    'the event has its score',
    async () => {
      const found = await client.search({ filters: scored });
      return found.count > 0 && found;
    },
    { withinMs: 90_000 },
  );
  expect(events.map((one) => one.event_id)).toContain(event_id);
  const response = await client.post('/v1/metrics/run', { metric: python, event });
  expect([response.status, response.json()]).toMatchObject([200, { result: 4 }]);
}

/** Runs the programs of the rendered chart with exactly their environment, arguments, user and read-only folders. */
describe('the containers of the chart', () => {
  const work = mkdtempSync(join(tmpdir(), 'assay-images-'));
  const images = join(work, 'out');
  const proxies: RecordingProxy[] = [];
  let stack: ChartStack;
  let client: Client;

  beforeAll(async () => {
    await buildImages(work, PROGRAMS);
    const tap = async (target: string) => {
      const proxy = await startRecordingProxy(target);
      proxies.push(proxy);
      return proxy.address;
    };
    const values = { redactValues: true, redactAllow: 'marker' };
    stack = await startChartStack({ engines: enginesFromEnvironment(), images, values, tap });
    client = new Client(stack);
  }, START_WITHIN_MS);

  afterAll(async () => {
    const clean = await stack?.stop();
    for (const proxy of proxies) await proxy.close();
    rmSync(work, { recursive: true, force: true });
    expect(clean).toBe(true);
  }, 60_000);

  async function removeQueues(): Promise<boolean> {
    const { queues } = (await client.call('GET', '/v1/queues')).json<{ queues: { id: string }[] }>();
    const removed = queues.map(async ({ id }) => (await client.call('DELETE', `/v1/queues/${id}`)).status);
    return (await Promise.all(removed)).every((status) => status === 200);
  }

  /** The stack of all journeys, which none of them stops. */
  const shared = () => Promise.resolve({ ...stack, stop: () => Promise.resolve(true) });

  it('run as the user of the images, contained where this machine allows it', () => {
    for (const program of PROGRAMS) expect(readImage(program).user).toBe(`${IMAGE_USER}:${IMAGE_USER}`);
    if (process.getuid?.() !== 0 || !stack.contained) return;
    const status = readFileSync(`/proc/${stack.pid('ingestion')}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${IMAGE_USER}\\s+${IMAGE_USER}`, 'm'));
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
  });

  describe('redaction', () =>
    redactionJourney(async () => {
      const logs = ['control-plane', 'query', 'readers', 'ingestion'];
      const read = () => logs.map((name) => readFileSync(join(stack.dir, `${name}.log`)));
      const seen = () =>
        Promise.resolve(Buffer.concat([...proxies.map((proxy) => proxy.bytes()), ...read()]));
      // Its queue takes every event, also those of the other journeys.
      return { stack: await shared(), seen, stop: removeQueues };
    }));
  describe('events', () => void eventJourney(shared));
  describe('sessions', () => sessionJourney(shared));
  describe('runs', () => void runJourney(shared));
  describe('repeated requests', () => repeatedRequestsJourney(shared));

  it('evaluate an event by a metric, and run one on request', () => evaluatesByMetric(client));

  describe('as a user that OpenShift assigns', () => {
    const user = { uid: 1_000_650_000, gid: 0 };
    let assigned: ChartStack;
    beforeAll(async () => {
      const values = { podUser: 'assigned' };
      assigned = await startChartStack({ engines: enginesFromEnvironment(), images, values, user });
    }, START_WITHIN_MS);
    afterAll(async () => {
      expect(await assigned?.stop()).toBe(true);
    }, 60_000);

    it('run as this user where this machine allows it', () => {
      if (process.getuid?.() !== 0 || !assigned.contained) return;
      const status = readFileSync(`/proc/${assigned.pid('evaluator')}/status`, 'utf8');
      expect(status).toMatch(new RegExp(`^Uid:\\s+${user.uid}\\s+${user.uid}`, 'm'));
      expect(status).toMatch(/^Gid:\s+0\s+0/m);
    });
    describe('events', () =>
      void eventJourney(() => Promise.resolve({ ...assigned, stop: () => Promise.resolve(true) })));
    it('evaluate an event by a metric, and run one on request', () =>
      evaluatesByMetric(new Client(assigned)));
  });

  it('add an event to a queue, and score it', async () => {
    const name = `queued ${randomUUID()}`;
    const filterArray = [{ field: 'event_name', operator: 'is', value: name, type: 'string' }];
    const created = await client.post('/v1/queues', { name, filters: { filterArray } });
    const path = `/v1/queues/${created.json<{ queue: { id: string } }>().queue.id}`;
    const event = { event_type: 'model', event_name: name, inputs: { question: 'Hello?' } };
    const { event_id } = (await client.post('/v1/events', event)).json<{ event_id: string }>();
    const { inputs } = await waitFor(
      'the event is in the queue',
      async () => {
        const response = await client.call('GET', `${path}/events`);
        const { events = [] } = response.json<{ events?: { event_id: string; event: typeof event }[] }>();
        return events.find((one) => one.event_id === event_id)?.event;
      },
      { withinMs: 90_000 },
    );
    expect(inputs).toEqual(event.inputs);
    const metric = { name, type: 'HUMAN', criteria: 'How is it?' };
    expect((await client.post('/v1/metrics', metric)).status).toBe(200);
    const body = { done: true, metrics: { [name]: 4 } };
    await waitFor('the event is scored', async () => {
      return (await client.call('PUT', `${path}/events/${event_id}`, { body })).status === 200;
    });
    const filters = [{ field: 'event_id', operator: 'is', value: event_id, type: 'string' }];
    expect((await client.search({ filters })).events).toMatchObject([{ metrics: { [name]: 4 } }]);
  });

  it('contain the command line, which finds no fault in the processes', async () => {
    const environment = {
      ASSAY_URL: stack.baseUrl,
      ASSAY_ADMIN_URL: stack.services.map((name) => stack.adminUrl(name)).join(','),
      ASSAY_API_KEY: stack.apiKey,
    };
    const status = await stack.exec('query', ['assay', 'status'], environment);
    expect(status.output).toMatch(
      /^Assay 0\.1\.0 \(data-plane\)\n[^]*\naccepted +\d+ [^]*\nforwarded +\d+ /m,
    );
    for (const component of stack.services)
      expect(await stack.exec(component, ['assay', '--help'])).toMatchObject({ code: 0 });
    const { code, output } = await stack.exec('query', ['assay', 'doctor'], environment);
    expect([code, output]).toEqual([0, expect.not.stringContaining('FAULT')]);
    const services = [...output.matchAll(/^(\S+) 0\.1\.0 at http:/gm)].map(([, name]) => name);
    expect(services).toEqual(['control-plane', 'ingestion', 'data-plane', 'data-plane', 'evaluator']);
    // As in an image without further settings: the key and the token are those of the container.
    const projects = await stack.exec('query', ['assay', 'projects', 'list'], { ASSAY_URL: stack.baseUrl });
    expect([projects.code, projects.output]).toEqual([0, expect.stringContaining('default')]);
  });

  it(
    'keep everything over a restart of each',
    async () => {
      const { count } = await client.search({ limit: 1 });
      expect(count).toBeGreaterThan(50);
      for (const name of stack.services) {
        expect([name, await stack.terminate(name)]).toEqual([name, 0]);
        await stack.start(name);
      }
      const event_id = randomUUID();
      expect((await client.post('/v1/events', { event_type: 'tool', event_id, inputs: {} })).status).toBe(
        200,
      );
      expect((await client.search({ limit: 1 })).count).toBeGreaterThan(count);
    },
    RESTART_TEST_MS,
  );

  it('contain neither the embedded engine nor sources, and list their components', () => {
    for (const program of PROGRAMS) {
      const folder = join(images, program);
      for (const absent of [
        'node_modules/chdb',
        'node_modules/jest',
        'node_modules/@assay/domain/src',
        'src',
      ])
        expect([absent, existsSync(join(folder, absent))]).toEqual([absent, false]);
      const { components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
        components: { name: string; 'bom-ref': string }[];
      };
      expect(components.map((component) => component.name)).toContain('express');
      const references = components.map((component) => component['bom-ref']);
      for (const name of ['@assay/cli@', 'commander@'])
        expect(references).toContainEqual(expect.stringContaining(name));
      expect(new Set(references).size).toBe(references.length);
      const libraries = references.filter((reference) => reference.startsWith('pkg:pypi/pandas@'));
      expect([program, libraries.length]).toEqual([program, program === 'evaluator' ? 1 : 0]);
    }
  });
});
