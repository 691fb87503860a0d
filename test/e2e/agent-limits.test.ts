import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent as HttpAgent, request, type IncomingMessage } from 'node:http';
import { waitFor } from '@assay/testing';
import { connectAgent } from '../harness/agents/connect-agent.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const MEGABYTE = 1024 ** 2;
/** Bytes of one result, and of what is said about it. */
const MAX_RESULT_BYTES = 104_000;
/** With escapes the text below has this many times 7 bytes: as many as an event may have. */
const REPEATS = 1_400_000;

const CALLS = 1_000;
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

interface PostOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('what agents ask', () => {
  const { stack, client } = onStack(() => startStandalone({ EVALUATE_EVENTS: 'false' }));
  const connect = (key = stack.apiKey) => connectAgent({ baseUrl: stack.baseUrl, key });
  /** Errors of the protocol are no errors of the API, so that the client of the API does not take them. */
  const post = async (body: unknown, { key = stack.apiKey, headers = {} }: PostOptions = {}) => {
    const authorization: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(new URL('/mcp', stack.baseUrl), {
      method: 'POST',
      headers: { ...json, ...authorization, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, json: <T>() => JSON.parse(text) as T };
  };
  const callTool = (name: string, args: object, key?: string) =>
    post(
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } },
      key === undefined ? {} : { key },
    );

  async function newProject(): Promise<{ id: string; key: string }> {
    const body = { name: `other ${randomUUID()}` };
    const created = (await client.post('/v1/projects', body, { key: stack.adminToken })).json<{
      readonly id: string;
      readonly api_key: string;
    }>();
    return { id: created.id, key: created.api_key };
  }

  async function sendEvents(events: readonly object[], key = stack.apiKey): Promise<void> {
    const sent = await client.post('/v1/events/batch', { events, single_session: false }, { key });
    expect(sent.status).toBe(200);
    await client.call('POST', '/v1/events/page', { key, body: { limit: 1 }, headers: { prefer: 'wait=30' } });
  }

  it('gets an event of 10 MB in parts of bounded size that make up the whole', async () => {
    const event_id = randomUUID();
    const text = `start é ${'x"\\é'.repeat(REPEATS)} end`;
    await sendEvents([{ event_type: 'model', event_name: 'large', event_id, inputs: { text }, outputs: {} }]);
    const agent = await connect();
    const whole = await agent.call('read_event', { event_id });
    expect(Buffer.byteLength(whole.text)).toBeLessThan(MAX_RESULT_BYTES);
    const stored = (await client.call('GET', `/v1/events/${event_id}/payload/inputs`)).text;
    let [read, offset] = ['', 0];
    for (let parts = 0; parts < 5; parts++) {
      const args = { event_id, fields: ['inputs'], offset, max_bytes: 45_000 };
      const { text: part, isError } = await agent.call('read_event', args);
      expect([isError, Buffer.byteLength(part) < MAX_RESULT_BYTES]).toEqual([false, true]);
      const { inputs } = JSON.parse(part) as {
        inputs: { text: string; next_offset: number; total_bytes: number };
      };
      expect(inputs.total_bytes).toBe(Buffer.byteLength(stored));
      read += inputs.text;
      offset = inputs.next_offset;
    }
    expect(stored.startsWith(read)).toBe(true);
    expect(offset).toBe(Buffer.byteLength(read));
    const end = { event_id, fields: ['inputs'], offset: Buffer.byteLength(stored) - 10 };
    expect((await agent.call('read_event', end)).json()).toMatchObject({
      inputs: { text: expect.stringMatching(/end"}$/) as string, next_offset: null },
    });
    const behind = await agent.call('read_event', { ...end, offset: Buffer.byteLength(stored) });
    expect(behind).toMatchObject({ isError: true, text: expect.stringContaining('416') as string });
    await agent.close();
  });

  it('gets pages of large events that are cut to fit, and continues where they end', async () => {
    const { key } = await newProject();
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const events = ids.map((event_id, index) => ({
      ...{ event_type: 'model', event_name: 'wide', event_id, inputs: {}, outputs: {} },
      ...{ start_time: 1_790_000_000_000 - index, metadata: { note: 'n'.repeat(20_000) } },
    }));
    await sendEvents(events, key);
    const agent = await connect(key);
    const found: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const filters = [{ field: 'event_name', operator: 'is', value: 'wide' }];
      const reply = await agent.call('search_events', { filters, limit: 40, ...(cursor && { cursor }) });
      expect([reply.isError, Buffer.byteLength(reply.text) < MAX_RESULT_BYTES]).toEqual([false, true]);
      if (found.length === 0) expect(reply.note).toMatch(/^Only \d of the 40 events of the page/);
      const page = reply.json<{ events: { event_id: string }[]; next_cursor: string | null }>();
      found.push(...page.events.map(({ event_id }) => event_id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(found).toEqual(ids);
    await agent.close();
  });

  it('says which texts of a single row were cut, and how to get them', async () => {
    const { key } = await newProject();
    const event_id = randomUUID();
    const metadata = { prompt: 'p'.repeat(2 * MEGABYTE) };
    await sendEvents(
      [{ event_type: 'model', event_name: 'one', event_id, inputs: {}, outputs: {}, metadata }],
      key,
    );
    const agent = await connect(key);
    const filters = [{ field: 'event_id', operator: 'is', value: event_id }];
    const reply = await agent.call('search_events', { filters });
    expect(reply.note).toContain('metadata.prompt has 2000 of 2097152 characters');
    expect(reply.note).toContain('read_event');
    expect(reply.json()).toMatchObject({ events: [{ event_id }] });
    await agent.close();
  });

  it('finds nothing of another project', async () => {
    const { key } = await newProject();
    const [event_id, session_id] = [randomUUID(), randomUUID()];
    await sendEvents([
      { event_type: 'model', event_name: 'mine', event_id, session_id, inputs: {}, outputs: {} },
    ]);
    const { run_id } = (await client.post('/v1/runs', { name: 'mine', status: 'completed' })).json<{
      run_id: string;
    }>();
    const metric = { name: `mine ${randomUUID()}`, type: 'HUMAN', criteria: 'Is it good?' };
    const { metric_id } = (await client.post('/v1/metrics', metric)).json<{ metric_id: string }>();
    const dataset_id = (await client.post('/v1/datasets', { name: 'mine' })).json<{
      result: { insertedId: string };
    }>().result.insertedId;
    const agent = await connect(key);
    const calls: [string, object][] = [
      ['read_event', { event_id }],
      ['read_session', { session_id }],
      ['get_run_result', { run_id }],
      ['compare_runs', { new_run_id: run_id, old_run_id: run_id }],
      ['compare_run_datapoints', { new_run_id: run_id, old_run_id: run_id }],
      ['gate_run', { new_run_id: run_id, against: run_id }],
      ['get_metric', { metric_id }],
    ];
    for (const [name, args] of calls) {
      const { isError, text } = await agent.call(name, { ...args });
      expect([name, isError, text]).toEqual([name, true, expect.stringMatching(/404\)$/)]);
      expect(text).not.toContain('mine');
    }
    const added = await agent.call('create_dataset_from_events', { dataset_id, event_ids: [event_id] });
    expect(added.isError).toBe(true);
    for (const [name, list] of [
      ['search_events', 'events'],
      ['list_runs', 'evaluations'],
      ['list_metrics', 'metrics'],
      ['list_datasets', 'datasets'],
    ] as const)
      expect((await agent.call(name)).json()).toMatchObject({ [list]: [] });
    await agent.close();
  });

  it.each<[string, string, object, string]>([
    ['an unknown argument', 'search_events', { limits: 3 }, 'limits is not a field of this request'],
    ['a limit beyond the largest', 'search_events', { limit: 501 }, 'limit must be'],
    ['a text as limit', 'list_runs', { limit: 'ten' }, 'limit must be'],
    ['no id', 'read_session', {}, 'session_id is required'],
    ['an id that is none', 'read_event', { event_id: '../../v1/projects' }, 'event_id must be a valid UUID'],
    ['an id in a path', 'get_run_result', { run_id: 'a/b?c=d#e' }, 'run_id must be'],
    [
      'an offset of several fields',
      'read_event',
      { event_id: randomUUID(), offset: 1 },
      'offset needs fields',
    ],
    ['a field that is none', 'read_event', { event_id: randomUUID(), fields: ['__proto__'] }, 'fields'],
    ['a filter without a field', 'search_events', { filters: [{ operator: 'is' }] }, 'field'],
    ['an argument named constructor', 'list_runs', { constructor: 1 }, 'constructor is not a field'],
    [
      'neither name nor dataset',
      'create_dataset_from_events',
      { selectAll: true },
      'one of name and dataset_id',
    ],
  ])('gets an error that names the field for %s', async (_name, tool, args, message) => {
    const response = await callTool(tool, args);
    expect(response.json()).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining(message) as string }] },
    });
    expect(response.text).not.toContain('v1/projects');
  });

  it('gets an error for tools that do not exist, whatever their names', async () => {
    for (const name of ['no_such_tool', 'constructor', '__proto__', 'toString', 'hasOwnProperty', ''])
      expect((await callTool(name, {})).json()).toMatchObject({ error: { code: -32602 } });
    const own =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_runs","arguments":{"__proto__":{"limit":1}}}}';
    const response = await post(own);
    expect(response.status).toBe(200);
    expect('limit' in {}).toBe(false);
  });

  it('gets the responses of a batch, in which calls run one after the other', async () => {
    const list = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_metrics', arguments: {} } };
    const replies = (await post(Array.from({ length: 5 }, (_, id) => ({ ...list, id })))).json<
      { id: number }[]
    >();
    expect(replies.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3, 4]);
    const many = await post(Array.from({ length: 101 }, (_, id) => ({ ...PING, id })));
    expect(many.status).toBe(400);
  });

  it('is refused without a valid key, with one that may only ingest, and with one that was revoked', async () => {
    const keys = await newProject();
    expect((await post(PING, { key: '' })).status).toBe(401);
    expect((await post(PING, { key: 'an-unknown-key' })).status).toBe(401);
    expect((await post(PING, { key: stack.adminToken })).status).toBe(403);
    const path = `/v1/projects/${keys.id}/ingestion_api_keys`;
    const ingestion = (await client.post(path, { name: 'sends' }, { key: keys.key })).json<{
      data: { key_value: string };
    }>();
    const refused = await post(PING, { key: ingestion.data.key_value });
    expect([refused.status, refused.json<{ message: string }>().message]).toEqual([
      403,
      'this key may only send events and sessions',
    ]);
    const grained = `/v1/projects/${keys.id}/fine_grained_api_keys`;
    const { data } = (await client.post(grained, { permissions: ['events:read'] }, { key: keys.key })).json<{
      data: { key_id: string; key_value: string };
    }>();
    expect((await post(PING, { key: data.key_value })).status).toBe(200);
    const revoked = await client.call('DELETE', `/v1/projects/${keys.id}/api_keys/${data.key_id}`, {
      key: keys.key,
    });
    expect(revoked.status).toBe(200);
    await waitFor('the revoked key is refused', async () => {
      return (await post(PING, { key: data.key_value })).status === 401;
    });
  });

  it('is refused from a page of another origin', async () => {
    const status = async (origin: string) => (await post(PING, { headers: { origin } })).status;
    expect(await status('http://rebound.example.com:8090')).toBe(403);
    expect(await status('null')).toBe(403);
    expect(await status('http://localhost.example.com')).toBe(403);
    expect(await status('http://localhost:6274')).toBe(200);
  });

  it('is refused with a body above 1 MB, and with one that is no JSON-RPC', async () => {
    const large = await post({ ...PING, params: { text: 'x'.repeat(MEGABYTE) } });
    expect([large.status, large.json<{ errorCode: string }>().errorCode]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    for (const body of ['{"jsonrpc":', '5', '{}', '[]', '[1]', '{"jsonrpc":"2.0","id":{},"method":"ping"}'])
      expect([body, (await post(body)).status]).toEqual([body, 400]);
    expect((await post(PING, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });

  it('gets 405 for streams and sessions, which there are none of', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await client.call(method, '/mcp', { headers: { accept: 'text/event-stream' } });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  it('cannot hold a stream of changes open', async () => {
    const version = '2026-07-28';
    const meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const headers = { 'mcp-protocol-version': version, 'mcp-method': 'subscriptions/listen' };
    const response = await post(
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
      { headers },
    );
    expect(response.json()).toMatchObject({ error: { code: expect.any(Number) as number } });
  });

  it('serves another project beside a thousand calls of one', async () => {
    const [flooding, other] = [await newProject(), await newProject()];
    const flooded = flood(new URL('/mcp', stack.baseUrl), flooding.key);
    const agent = await connect(other.key);
    for (let call = 0; call < 20; call++) expect((await agent.call('search_events')).isError).toBe(false);
    const statuses = await flooded;
    const served = statuses.filter((status) => status === 200).length;
    expect(served + statuses.filter((status) => status === 503).length).toBe(CALLS);
    expect(served).toBeGreaterThan(0);
    expect((await callTool('search_events', {}, flooding.key)).status).toBe(200);
    await agent.close();
  });
});

/** Sends a thousand calls of one project over 256 connections, and returns their statuses. */
async function flood(url: URL, key: string): Promise<(number | undefined)[]> {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 256 });
  const params = { name: 'search_events', arguments: { limit: 1 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = { ...json, authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body) };
  const send = async () => {
    const sent = request(url, { method: 'POST', agent, headers }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: CALLS }, send));
  agent.destroy();
  return statuses;
}

describe('without SERVE_MCP', () => {
  const { client } = onStack(() => startStandalone({ SERVE_MCP: 'false', EVALUATE_EVENTS: 'false' }));

  it('there is no address for agents', async () => {
    expect((await client.call('POST', '/mcp', { bytes: JSON.stringify(PING), headers: json })).status).toBe(
      404,
    );
  });
});
