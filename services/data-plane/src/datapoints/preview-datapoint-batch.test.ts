import { randomUUID } from 'node:crypto';
import {
  compile,
  createDatapointBatchRequest,
  type previewDatapointBatch,
  type ResponseOf,
} from '@assay/contracts';
import type { Event } from '@assay/domain';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makePreviewDatapointBatch } from './preview-datapoint-batch.js';

const checkRequest = compile(createDatapointBatchRequest);

describe('a preview of a batch of datapoints', () => {
  let stored: StoredEvents;
  let events: Event[];
  beforeAll(async () => {
    stored = await startStoredEvents();
    events = await stored.add(
      Array.from({ length: 8 }, (_, n): Partial<Event> => ({
        event_name: n < 6 ? 'ask' : 'other',
        inputs: { question: `q${n}`, ...(n === 7 && { chat_history: 'no list' }) },
        ...(n % 2 === 0 && { outputs: { answer: `a${n}` } }),
        start_time: 1_790_000_000_000 - n,
      })),
    );
  });
  afterAll(() => stored.stop());

  // Calls to the control plane fail: a preview makes none.
  const preview = async (body: object, context: Partial<typeof CONTEXT> = {}) => {
    const request = { params: {}, query: {}, body: checkRequest(body) };
    const operation = makePreviewDatapointBatch(stored.deps());
    return (await operation(request, { ...CONTEXT, ...context })) as ResponseOf<typeof previewDatapointBatch>;
  };
  const filters = [{ field: 'event_name', operator: 'is', value: 'ask', type: 'string' }];

  it('contains the first datapoints, the number of events and the coverage of each field', async () => {
    const mapping = { inputs: ['inputs.question', 'inputs.none'], ground_truth: ['outputs.answer'] };
    const found = await preview({ selectAll: true, filters, mapping });
    expect(found).toMatchObject({ total: 6, sampled: 6, failed: [] });
    expect(found.datapoints).toHaveLength(5);
    expect(found.datapoints[0]).toEqual({
      event_id: events[0]?.event_id,
      inputs: { question: 'q0' },
      history: [],
      ground_truth: { answer: 'a0' },
    });
    expect(found.coverage).toEqual([
      { part: 'inputs', field: 'inputs.question', found: 6 },
      { part: 'inputs', field: 'inputs.none', found: 0 },
      { part: 'ground_truth', field: 'outputs.answer', found: 3 },
    ]);
  });

  it('counts named, matching and excluded events once', async () => {
    const [first, second, ...rest] = events.map((event) => event.event_id);
    const checkState = { [first!]: true, [second!]: false, [rest.at(-2)!]: true };
    expect((await preview({ selectAll: true, filters, checkState })).total).toBe(6);
    expect((await preview({ checkState })).total).toBe(2);
  });

  it('names events that are missing, or from which no datapoint can be created', async () => {
    const missing = randomUUID();
    const selected = { events: [missing, events[7]!.event_id] };
    const { failed } = await preview({ ...selected, mapping: { history: ['inputs.chat_history'] } });
    expect(failed.map((one) => one.event_id)).toEqual([events[7]!.event_id, missing]);
    const found = await preview(selected);
    expect(found.failed.map((one) => one.event_id)).toEqual([missing]);
    expect(found.coverage.map(({ field }) => field)).toEqual([
      'inputs',
      'inputs.chat_history',
      'feedback.ground_truth',
      'outputs',
    ]);
  });

  it('contains nothing of another project', async () => {
    const caller = { ...CONTEXT.caller, projectId: 'p2' };
    expect(await preview({ selectAll: true }, { caller })).toMatchObject({
      datapoints: [],
      total: 0,
      sampled: 0,
    });
  });

  it.each<[object, string]>([
    [{}, 'must select at least one event'],
    [{ selectAll: true, mapping: { inputs: ['nothing.at'] } }, 'mapping.inputs[0]'],
    [{ selectAll: true, filters: [{ field: 'a', operator: 'like', value: 1 }] }, 'filters[0].operator'],
    [{ events: ['x'] }, 'events[0]'],
  ])('is rejected for %j', async (body, message) => {
    await expect((async () => preview(body))()).rejects.toThrow(message);
  });

  it('is not read for a client that has disconnected', async () => {
    const signal = AbortSignal.abort();
    await expect(preview({ selectAll: true }, { signal })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
