import { randomBytes, randomUUID } from 'node:crypto';
import type { onStack } from '../harness/stack/on-stack.js';

/** Beyond 2^53, between 2^63 and 2^64, beyond 2^64, negative, and with more digits than any integer type. */
const INTEGERS = [
  '9007199254740993',
  '12345678901234567890',
  '123456789012345678901234567890',
  '-9223372036854775809',
  `1${'0123456789'.repeat(20)}1`,
];
/** The neighbours that are the same number as a double. */
const NEIGHBOURS = ['9007199254740992', '12345678901234567891', '123456789012345678901234567891'];
const DECIMALS = '[0.1,1.5e+300,-0.30000000000000004,1e-7,100000000000000000000,9007199254740991]';

/** Integers that no double holds, digit for digit in every way in and out. */
export function exactIntegerJourney(started: ReturnType<typeof onStack>): ReturnType<typeof onStack> {
  const { client } = started;
  const json = { 'content-type': 'application/json' };
  const waiting = { ...json, prefer: 'wait=30' };
  const send = async (path: string, bytes: string, method = 'POST') => {
    const response = await client.call(method, path, { bytes, headers: waiting });
    expect([path, response.status, response.status === 200 ? '' : response.text]).toEqual([path, 200, '']);
    return response;
  };
  const holds = (integers: readonly string[]) =>
    `{"id":${integers[0]},"list":[${integers.join(',')},{"n":${integers[1]}}]}`;
  const buckets = (marker: string) => ({
    inputs: holds(INTEGERS),
    outputs: holds(INTEGERS.slice(1)),
    config: holds(INTEGERS.slice(2)),
    metadata: `{"marker":"${marker}","id":${INTEGERS[0]},"decimals":${DECIMALS}}`,
    feedback: holds(INTEGERS),
    metrics: `{"id":${INTEGERS[0]},"list":[${INTEGERS[1]}]}`,
    user_properties: `{"id":${INTEGERS[2]}}`,
  });
  const fields = (values: Readonly<Record<string, string>>) =>
    Object.entries(values)
      .map(([name, value]) => `"${name}":${value}`)
      .join(',');
  const expectKept = (text: string, values: Readonly<Record<string, string>>) => {
    for (const value of Object.values(values)) expect(text).toContain(value);
  };
  const event = (marker: string) => `"event_type":"tool",${fields(buckets(marker))}`;
  const filtered = (field: string, value: string, more = '') =>
    `{"filters":[{"field":"${field}","operator":"is","value":${value}${more}}]}`;
  const countOf = async (body: string) =>
    (await send('/v1/events/search', body)).json<{ count: number }>().count;

  it.each([
    ['/v1/events', (one: string) => `{${one}}`],
    ['/events', (one: string) => `{"event":{${one}}}`],
    ['/events', (one: string) => `{"event":${JSON.stringify(`{${one}}`)}}`],
    ['/v1/events/batch', (one: string) => `{"events":[{${one}}]}`],
    ['/v1/sessions', (one: string) => `{${one.replace('"event_type":"tool",', '')}}`],
    ['/session/start', (one: string) => `{"session":{${one}}}`],
  ])('arrive by POST %s and leave by every read', async (path, body) => {
    const marker = randomUUID();
    const { metadata, ...others } = buckets(marker);
    const kept = { ...others, id: `"id":${INTEGERS[0]}`, decimals: DECIMALS };
    expect(metadata).toContain(kept.decimals);
    await send(path, body(event(marker)));
    const query = filtered('metadata.marker', `"${marker}"`);
    for (const read of ['/v1/events/search', '/v1/events/export'])
      expectKept((await send(read, query)).text, kept);
    const [{ event_id } = { event_id: '' }] = (await send('/v1/events/search', query)).json<{
      events: { event_id: string }[];
    }>().events;
    expectKept((await client.call('GET', `/v1/events/${event_id}`)).text, kept);
    const lines = await client.call('POST', '/v1/events/export', {
      bytes: query,
      headers: { ...waiting, accept: 'application/x-ndjson' },
    });
    expectKept(lines.text, kept);
  });

  it('arrive in updates, before and after their event', async () => {
    const [event_id, marker] = [randomUUID(), randomUUID()];
    const { inputs, outputs, feedback } = buckets(marker);
    await send(`/v1/events/${event_id}`, `{"inputs":${inputs},"metadata":{"first":${INTEGERS[1]}}}`, 'PUT');
    await send(
      '/v1/events',
      `{"event_id":"${event_id}","event_type":"tool","inputs":{},"metadata":{"own":${INTEGERS[2]}}}`,
    );
    await send('/events', `{"event_id":"${event_id}","outputs":${outputs},"feedback":${feedback}}`, 'PUT');
    const found = (await client.call('GET', `/v1/events/${event_id}`, { headers: waiting })).text;
    expectKept(found, {
      inputs,
      outputs,
      feedback,
      first: `"first":${INTEGERS[1]}`,
      own: `"own":${INTEGERS[2]}`,
    });
  });

  it('arrive in JSON texts of OTLP attributes, and in attributes', async () => {
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const value = `{"id":${INTEGERS[1]},"list":[${INTEGERS[2]}]}`;
    const attribute = (key: string, written: string) => `{"key":"${key}","value":${written}}`;
    const attributes = [
      attribute('input.value', `{"stringValue":${JSON.stringify(value)}}`),
      attribute('input.mime_type', '{"stringValue":"application/json"}'),
      attribute('openinference.span.kind', '{"stringValue":"TOOL"}'),
      attribute('chat.id', `{"intValue":${INTEGERS[0]}}`),
    ];
    const span = `{"traceId":"${traceId}","spanId":"${spanId}","name":"s","startTimeUnixNano":1700000000123456789,"endTimeUnixNano":"1700000001123456789","attributes":[${attributes.join(',')}]}`;
    await send('/opentelemetry/v1/traces', `{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`);
    const { text } = await send('/v1/events/search', filtered('metadata.trace_id', `"${traceId}"`));
    expectKept(text, { value, chat: `"chat.id":"${INTEGERS[0]}"`, start: '"start_time":1700000000123.4' });
  });

  it('are found by their digits, and not by those of their neighbours', async () => {
    for (const [index, integer] of INTEGERS.slice(0, 3).entries()) {
      const [marker, neighbour] = [randomUUID(), NEIGHBOURS[index]!];
      for (const id of [integer, neighbour])
        await send(
          '/v1/events',
          `{"event_type":"tool","inputs":{"id":${id},"deep":[{"id":${id}}]},"metadata":{"marker":"${marker}"}}`,
        );
      const mine = `,{"field":"metadata.marker","operator":"is","value":"${marker}"}]}`;
      const search = (field: string, operator: string, value: string, type = '') =>
        countOf(`{"filters":[{"field":"${field}","operator":"${operator}","value":${value}${type}}${mine}`);
      for (const type of ['', ',"type":"number"', ',"type":"string"'])
        for (const value of [integer, `"${integer}"`])
          expect(await search('inputs.id', 'is', value, type)).toBe(1);
      expect(await search('inputs.id', 'is not', integer)).toBe(1);
      expect(await search('inputs.id', 'in', `[${integer},${neighbour},7]`, ',"type":"number"')).toBe(2);
      expect(await search('inputs.id', 'greater than', '1', ',"type":"number"')).toBe(2);
      if (index < 2) expect(await search('inputs.deep[0].id', 'is', integer)).toBe(1);
      const filters = encodeURIComponent(
        `[{"field":"inputs.id","operator":"is","value":${integer}}${mine.slice(0, -1)}`,
      );
      const listed = await client.call('GET', `/v1/events?filters=${filters}`, { headers: waiting });
      expect(listed.json()).toMatchObject({ totalEvents: 1 });
    }
  });

  it('are kept in datapoints and configurations', async () => {
    const value = holds(INTEGERS);
    const created = await send(
      '/v1/datapoints',
      `{"inputs":${value},"ground_truth":${value},"metadata":${value},"history":[${value}]}`,
    );
    const { insertedId } = created.json<{ result: { insertedId: string } }>().result;
    const read = async () => (await client.call('GET', `/v1/datapoints/${insertedId}`)).text;
    expectKept(await read(), {
      inputs: `"inputs":${value}`,
      truth: `"ground_truth":${value}`,
      metadata: `"metadata":${value}`,
      history: `[${value}]`,
    });
    await send(`/v1/datapoints/${insertedId}`, `{"metadata":{"n":${INTEGERS[1]}}}`, 'PUT');
    expectKept(await read(), { metadata: `"n":${INTEGERS[1]}`, inputs: `"inputs":${value}` });

    const name = randomUUID();
    const parameters = `{"call_type":"chat","model":"m","hyperparameters":{"seed":${INTEGERS[1]}}}`;
    await send(
      '/v1/configurations',
      `{"name":"${name}","provider":"openai","parameters":${parameters},"user_properties":${value}}`,
    );
    const listed = await client.call('GET', `/v1/configurations?name=${name}`);
    expectKept(listed.text, { seed: `"seed":${INTEGERS[1]}`, value });
  });

  it.each([
    ['{"event_type":"tool","inputs":{"n":1e400}}', 'inputs.n must be a finite number'],
    [`{"event_type":"tool","inputs":{"n":1${'0'.repeat(1_000)}}}`, 'inputs.n must be a finite number'],
    ['{"event_type":"tool","inputs":{12345678901234567890:1}}', 'body is not valid JSON'],
    ['{"event_type":"tool","inputs":12345678901234567890}', 'inputs must be an object'],
    ['{"event_type":"tool","inputs":{},"session_id":12345678901234567890}', 'session_id must be a string'],
    [
      '{"event_type":"tool","inputs":{},"start_time":-12345678901234567890}',
      'start_time must be milliseconds',
    ],
  ])('are refused where they have no meaning: %s', async (bytes, message) => {
    const response = await client.call('POST', '/v1/events', { bytes, headers: json });
    expect([response.status, response.json()]).toMatchObject([
      400,
      { message: expect.stringContaining(message) as string },
    ]);
  });

  it('are times in nanoseconds where times are expected', async () => {
    const created = await send(
      '/v1/events',
      '{"event_type":"tool","inputs":{"n":-0},"start_time":1790000000123456789}',
    );
    const { event_id } = created.json<{ event_id: string }>();
    const { event: stored } = (await client.call('GET', `/v1/events/${event_id}`)).json<{
      event: { start_time: number };
    }>();
    expect(Math.floor(stored.start_time)).toBe(1790000000123);
  });

  return started;
}
