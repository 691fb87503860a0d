import { randomUUID } from 'node:crypto';
import { ROUTES } from '@assay/contracts';
import { callUntilServed } from '../harness/stack/call-until-served.js';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import type { Random } from './mutate.js';
import { fillStrings } from './string-slots.js';

const CONCURRENCY = 8;
/** Services whose routes read databases by what a request names. Ingestion appends to the log, and the evaluator runs programs. */
const QUERYING: readonly string[] = ['data-plane', 'control-plane'];
/** Texts that end a literal or an identifier, name a parameter of a statement, or are statements. */
const FRAGMENTS = [
  `'`,
  `"`,
  '`',
  '\\',
  `') OR 1=1 --`,
  `'; DROP TABLE events; --`,
  `' UNION ALL SELECT * FROM system.tables --`,
  '{p0:String}',
  '{p1:Identifier}',
  '/*',
  '*/ OR 1 --',
  '%',
  '{}',
  ']',
  '$where',
  '\n',
  '\u{1F600}',
];
/** Statuses of requests that were served, whatever their strings contain. */
const SERVED = [200, 201, 202, 204, 400, 404, 409];

/**
 * Sends SQL in every string of every route that reads a database, and asserts that each is data: requests are served or rejected as mistakes of the
 * client, no response has an event of another project, and afterwards the events of both projects are what they were.
 */
export async function sendSqlInStrings(stack: Stack, random: Random): Promise<number> {
  const client = new Client(stack);
  const other = await anotherProject(stack, client);
  const [mine, theirs] = [await storeMarked(client), await storeMarked(other)];
  const ids = await resourcesOf(client, mine);
  const text = () => {
    const count = 1 + Math.floor(random() * 4);
    return Array.from({ length: count }, () => FRAGMENTS[Math.floor(random() * FRAGMENTS.length)]).join('x');
  };
  const routes = ROUTES.filter(({ encoding, owner }) => encoding === undefined && QUERYING.includes(owner));
  const requests = routes.flatMap((route) =>
    fillStrings(route, text, route.method === 'DELETE' ? {} : ids).map((request) => ({ route, ...request })),
  );
  const unexpected: object[] = [];
  let sent = 0;
  const worker = async () => {
    while (sent < requests.length) {
      const { route, where, path, body } = requests[sent++]!;
      const key = route.access === 'admin' ? stack.adminToken : stack.apiKey;
      const response = await callUntilServed(client, route, path, {
        ...(body !== undefined && { body }),
        key,
      });
      const isData = SERVED.includes(response.status) && !response.text.includes(theirs.marker);
      if (!isData)
        unexpected.push({
          operation: route.operation,
          where,
          path,
          status: response.status,
          text: response.text.slice(0, 300),
        });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  expect(unexpected).toEqual([]);
  for (const [reader, { marker, event_id }] of [
    [client, mine],
    [other, theirs],
  ] as const) {
    const filters = [{ field: 'metadata.marker', operator: 'is', value: marker }];
    const { events, count } = await reader.search({ filters });
    expect([count, events[0]]).toMatchObject([1, { event_id, inputs: { marker }, metadata: { marker } }]);
  }
  return requests.length;
}

async function anotherProject(stack: Stack, client: Client): Promise<Client> {
  const name = `other ${randomUUID()}`;
  const created = await client.post('/v1/projects', { name }, { key: stack.adminToken });
  return new Client(stack, created.json<{ api_key: string }>().api_key);
}

interface Marked {
  readonly marker: string;
  readonly event_id: string;
  readonly session_id: string;
}

async function storeMarked(client: Client): Promise<Marked> {
  const marker = `marker-${randomUUID()}`;
  const event = { event_type: 'tool', inputs: { marker }, metadata: { marker } };
  const { event_id, session_id } = (await client.post('/v1/events', event)).json<Marked>();
  await client.search({ limit: 1 });
  return { marker, event_id, session_id };
}

/** Resources that exist, so that requests with their ids reach the event store; by the names of path parameters. */
async function resourcesOf(client: Client, { session_id }: Marked): Promise<Record<string, string>> {
  const id = async <Name extends string>(path: string, body: object, name: Name) => {
    const response = await client.post(path, body);
    expect([path, response.status]).toEqual([path, 200]);
    return response.json<Record<Name, string>>()[name];
  };
  const runs = [randomUUID(), randomUUID()] as const;
  for (const run_id of runs) await id('/v1/runs', { run_id, name: 'run', event_ids: [session_id] }, 'run_id');
  const event = { event_type: 'tool', inputs: {}, session_id };
  const event_id = await id('/v1/events', event, 'event_id');
  return { run_id: runs[0], new_run_id: runs[0], old_run_id: runs[1], event_id, session_id, field: 'inputs' };
}
