import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { expectUndisturbed } from './quiet-project.js';
import { newProject } from './sources.js';

/** The longest pattern that filters may have. The search of the runtime compares all of it at each place of the text. */
const PATTERN = `ab${'a'.repeat(998)}`;
const METRICS = 12;
const FILTERS = 50;
const TEXTS = [250_000, 3_000_000];
const INTERVAL_MS = 400;
const STORED_WITHIN = { withinMs: 240_000 };
/** Events that are as long. */
const LONG_EVENTS = 15;

const filters = {
  filterArray: Array.from({ length: FILTERS }, () => ({
    field: 'inputs.t',
    operator: 'not contains',
    value: PATTERN,
    type: 'string',
  })),
};

interface HostileProject {
  readonly client: Client;
  /** Sends an event that all filters read. Returns its id. */
  readonly send: (length: number) => Promise<string>;
  /** Creates metrics and a queue with these filters, the first time. */
  readonly createFilters: () => Promise<HostileIds>;
}

interface HostileIds {
  readonly metricId: string;
  readonly queueId: string;
}

/**
 * Creates a project without filters, and sends its long events: they make the young generation of each process that they pass grow, to at most
 * 128 MB. What the filters add is measured.
 */
async function hostileProject(stack: Stack): Promise<HostileProject> {
  const client = new Client(stack, await newProject(stack, 'hostile filters'));
  const send = async (length: number) => {
    const event = { event_type: 'tool', event_name: 'long', inputs: { t: 'a'.repeat(length) } };
    const sent = await client.post('/v1/events', event);
    return sent.json<{ event_id: string }>().event_id;
  };
  for (let sent = 0; sent < LONG_EVENTS; sent++) await send(Math.max(...TEXTS));
  await client.search({ limit: 1 });
  let ids: Promise<HostileIds> | undefined;
  return { client, send, createFilters: () => (ids ??= createFilters(client)) };
}

async function createFilters(client: Client): Promise<HostileIds> {
  const metric = { type: 'PYTHON', criteria: 'result = 1', enabled_in_prod: true, sampling_percentage: 100 };
  let metricId = '';
  for (let index = 0; index < METRICS; index++) {
    const made = await client.post('/v1/metrics', { ...metric, name: `hostile ${index}`, filters });
    metricId = made.json<{ metric_id: string }>().metric_id;
  }
  const queue = await client.post('/v1/queues', { name: 'hostile', filters });
  return { metricId, queueId: queue.json<{ queue: { id: string } }>().queue.id };
}

/** Sends events to the filters, one after the other, until it is ended. */
async function keepSending({ send, createFilters }: HostileProject): Promise<() => Promise<void>> {
  await createFilters();
  let isEnded = false;
  const sending = (async () => {
    for (let sent = 0; !isEnded; sent++) {
      await send(TEXTS[sent % TEXTS.length] ?? 0);
      await new Promise((resume) => setTimeout(resume, INTERVAL_MS));
    }
  })();
  return () => {
    isEnded = true;
    return sending;
  };
}

/** Filters that are as slow as filters can be, on a stack of any kind. */
export function describeHostileFilters(name: string, stackOf: () => Stack): void {
  describe(`filters that are as slow as they can be, ${name}`, () => {
    let project: HostileProject;
    beforeAll(async () => {
      project = await hostileProject(stackOf());
    }, 300_000);

    it('do not disturb another project', async () => {
      await expectUndisturbed(stackOf(), () => keepSending(project));
    }, 600_000);

    it('are not decided, which the event, the metric and the queue show', async () => {
      const { client } = project;
      const { metricId, queueId } = await project.createFilters();
      const eventId = await project.send(3_000_000);
      const decisionOf = async () => {
        const listed = await client.call('GET', `/v1/events/${eventId}/evaluations`);
        if (listed.status !== 200) return undefined;
        const { evaluations } = listed.json<{
          evaluations: { metric_id: string; decided_at: string | null }[];
        }>();
        return evaluations.find((one) => one.metric_id === metricId && one.decided_at !== null);
      };
      const isDecided = async () => (await decisionOf()) !== undefined;
      await waitFor('the event is decided about', isDecided, STORED_WITHIN);
      expect(await decisionOf()).toMatchObject({
        ...{ decision: 'not_decided', value: null },
        reason: 'the filters of the project need more work than an event may cause',
      });
      const counts = await client.call('GET', `/v1/metrics/${metricId}/decisions`);
      expect(counts.json<{ decisions: object[] }>().decisions).toContainEqual(
        expect.objectContaining({ decision: 'not_decided' }),
      );
      const isCounted = async () => {
        const { not_decided } = (await client.call('GET', `/v1/queues/${queueId}`)).json<{
          not_decided: number;
        }>();
        return not_decided > 0;
      };
      await waitFor('the queue counts it', isCounted, STORED_WITHIN);
    }, 600_000);
  });
}
