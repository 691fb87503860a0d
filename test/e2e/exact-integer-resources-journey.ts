import { randomBytes, randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';

/** Beyond 2^53, beyond 64 bits, and negative. */
const IDS = ['9007199254740993', '123456789012345678901234567890', '-9223372036854775809'] as const;
const NEIGHBOUR = '9007199254740992';
const HELD = `{"id":${IDS[0]},"list":[${IDS.join(',')},{"n":${IDS[1]}}]}`;
/** The same after redaction. */
const emptied = (json: string) =>
  json
    .replaceAll(/-?\d{2,}/g, '0')
    .replaceAll('"user"', '""')
    .replaceAll('"c"', '""');
const HEADERS = { 'content-type': 'application/json', prefer: 'wait=30' };
const PATIENT = { withinMs: 90_000 } as const;

/** Integers that no double holds, in runs, datasets, queues and everything else that is made of events. */
export function exactIntegerResourcesJourney(
  { client }: { readonly client: Client },
  { isRedacted = false } = {},
): void {
  const call = async (method: string, path: string, bytes?: string) => {
    const response = await client.call(method, path, { headers: HEADERS, ...(bytes && { bytes }) });
    expect([method, path, response.status, response.text]).toEqual([method, path, 200, expect.any(String)]);
    return response;
  };
  const post = (path: string, bytes: string) => call('POST', path, bytes);
  const createEvent = async (fields: string) =>
    (await post('/v1/events', `{"event_type":"tool",${fields}}`)).json<{ event_id: string }>().event_id;

  it('are kept in runs, when these are created, updated, listed and read with their result', async () => {
    const run_id = randomUUID();
    const sent = `"configuration":${HELD},"metadata":${HELD},"results":${HELD}`;
    await post('/v1/runs', `{"run_id":"${run_id}","name":"r",${sent},"passing_ranges":{"m":${IDS[1]}}}`);
    const kept = [`"configuration":${HELD}`, `"results":${HELD}`, `"passing_ranges":{"m":${IDS[1]}}`];
    for (const path of [`/v1/runs/${run_id}`, '/v1/runs', `/v1/runs/${run_id}/result`]) {
      const { text } = await call('GET', path);
      for (const one of kept) expect(text).toContain(one);
      expect(text).toContain(HELD.slice(1, -1));
    }
    await call('PUT', `/v1/runs/${run_id}`, `{"configuration":{"seed":${IDS[2]}},"evaluators":[${IDS[1]}]}`);
    const { text } = await call('GET', `/v1/runs/${run_id}`);
    for (const one of [`"seed":${IDS[2]}`, `"evaluators":[${IDS[1]}]`, `"results":${HELD}`])
      expect(text).toContain(one);
  });

  it('are kept in the events of two runs that are paired', async () => {
    const [now, old] = [randomUUID(), randomUUID()];
    for (const run of [now, old]) {
      await post('/v1/runs', `{"run_id":"${run}","name":"r","status":"completed"}`);
      const metadata = `{"run_id":"${run}","datapoint_id":"d","id":${IDS[0]}}`;
      const session_id = randomUUID();
      await post('/v1/sessions', `{"session_id":"${session_id}","session_name":"s","metadata":${metadata}}`);
      await createEvent(
        `"event_name":"step","session_id":"${session_id}","metadata":${metadata},"inputs":${HELD},"outputs":${HELD}`,
      );
    }
    const path = `/v1/runs/${now}/compare/${old}/events?event_name=step`;
    const { text } = await call('GET', path);
    expect(text.split(HELD)).toHaveLength(5);
    const count = async (value: string) => {
      const filter = encodeURIComponent(`{"metadata.id":${value}}`);
      return (await call('GET', `${path}&filter=${filter}`)).json<{ totalEvents: number }>().totalEvents;
    };
    expect([await count(IDS[0]), await count(NEIGHBOUR)]).toEqual([1, 0]);
    const rows = await post(`/v1/runs/${now}/compare/${old}/datapoints`, '{"preview_chars":200}');
    expect(rows.json<{ rows: { inputs_preview: string }[] }>().rows[0]?.inputs_preview).toEqual(
      expect.any(String),
    );
  });

  it('are kept in datasets, whichever way their datapoints arrive', async () => {
    const created = await post('/v1/datasets', '{"name":"golden"}');
    const id = created.json<{ result: { insertedId: string } }>().result.insertedId;
    const path = `/v1/datasets/${id}/datapoints`;
    const parts = `"inputs":${HELD},"history":[${HELD}],"ground_truth":${HELD},"metadata":${HELD}`;
    await call('PUT', path, `{"datapoints":[{"id":"${randomBytes(12).toString('hex')}",${parts}}]}`);
    const mapping = '{"inputs":["question"],"ground_truth":["answer"]}';
    await post(path, `{"data":[{"question":${HELD},"answer":${HELD},"id":${IDS[1]}}],"mapping":${mapping}}`);
    const { text } = await call('GET', path);
    for (const part of parts.split(/,(?="(?:history|ground_truth|metadata)")/)) expect(text).toContain(part);
    for (const part of [`{"question":${HELD}}`, `{"answer":${HELD}}`, `"id":${IDS[1]}`])
      expect(text).toContain(part);
  });

  it('are kept in datapoints that are made of events, with a mapping and without', async () => {
    const event = await createEvent(
      `"inputs":{"held":${HELD},"chat_history":[{"role":"user","content":"c","id":${IDS[0]}}]},"outputs":${HELD}`,
    );
    const mapping =
      '{"inputs":["inputs.held.id"],"history":["inputs.chat_history"],"ground_truth":["outputs"]}';
    for (const more of ['', `,"mapping":${mapping}`]) {
      const body = `{"events":["${event}"]${more}}`;
      const previewed = (await post('/v1/datapoints/batch/preview', body)).text;
      const { insertedIds } = (await post('/v1/datapoints/batch', body)).json<{ insertedIds: string[] }>();
      const { text } = await call('GET', `/v1/datapoints/${insertedIds[0]}`);
      for (const found of [previewed, text]) {
        const parts = [
          `"history":[{"role":"user","content":"c","id":${IDS[0]}}]`,
          `"ground_truth":${HELD}`,
          more === '' ? `"held":${HELD}` : `"inputs":{"held.id":${IDS[0]}}`,
        ];
        for (const part of parts) expect(found).toContain(isRedacted ? emptied(part) : part);
      }
    }
  });

  it('select the events of a queue, of a chart and of suggestions', async () => {
    const marker = randomUUID();
    const filter = (field: string) =>
      `{"field":"${field}","operator":"is","value":${IDS[0]},"type":"number"},` +
      `{"field":"metadata.marker","operator":"is","value":"${marker}","type":"string"}`;
    const filters = `{"filterArray":[${filter('metadata.id')}]}`;
    const made = await post('/v1/queues', `{"name":"q ${marker}","filters":${filters}}`);
    const queue = made.json<{ queue: { id: string } }>().queue.id;
    const create = (id: string) =>
      createEvent(`"inputs":{"id":${id}},"metadata":{"marker":"${marker}","id":${id}}`);
    const [neighbour, mine] = [await create(NEIGHBOUR), await create(IDS[0])];
    const page = () => call('GET', `/v1/queues/${queue}/events`);
    await waitFor('the event is in the queue', async () => (await page()).text.includes(mine), PATIENT);
    const { text } = await page();
    expect(text).not.toContain(neighbour);
    expect(text).toContain(`"inputs":{"id":${IDS[0]}}`);
    expect((await call('GET', '/v1/queues')).text).toContain(`"value":${IDS[0]}`);
    const payload = await call('GET', `/v1/events/${mine}/payload/inputs`);
    expect(payload.text).toBe(`{"id":${IDS[0]}}`);
    const query = `filters=[${encodeURIComponent(filter('inputs.id'))}]`;
    const charted = await call('GET', `/v1/events/chart?aggregation=count&dateRange=1h&${query}`);
    expect(charted.json()).toMatchObject({ totalEvents: 1 });
    const suggested = await call('GET', `/v1/events/values?field=metadata.marker&${query}`);
    expect(suggested.json()).toMatchObject({ values: [{ value: marker, count: 1 }] });
  });

  it('are kept in sessions and in what belongs to them', async () => {
    const session_id = randomUUID();
    await post('/v1/sessions', `{"session_id":"${session_id}","session_name":"s","inputs":${HELD}}`);
    const event = `{"event_type":"tool","inputs":${HELD},"outputs":${HELD}}`;
    await post(`/session/${session_id}/traces`, `{"logs":[${event}]}`);
    await call('PUT', `/v1/events/${session_id}`, `{"outputs":${HELD},"user_properties":${HELD}}`);
    const { text } = await call('GET', `/session/${session_id}`);
    expect(text).toContain(`"inputs":${HELD}`);
    const filters = `[{"field":"session_id","operator":"is","value":"${session_id}","type":"string"}]`;
    const found = await post('/v1/events/search', `{"filters":${filters}}`);
    expect(found.text.split(HELD)).toHaveLength(6);
  });
}
