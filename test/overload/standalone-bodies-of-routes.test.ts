import { setTimeout as delay } from 'node:timers/promises';
import { ROUTES, type Route } from '@assay/contracts';
import { sampleRequest } from '../conformance/sample-request.js';
import { type ApiResponse, Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { freshIds, type FreshIds } from './fresh-resources.js';
import { newProject } from './sources.js';
import { longestTurn, MAX_TURN_MS, RECORDING, recordedTurns } from './turns-of-process.js';
import { worstBodies } from './worst-bodies.js';
import { worstOtlp } from './worst-otlp.js';

/** A machine that does much else takes ten times as long. */
const TIMEOUT_MS = 600_000;
/** The first requests compile what the others use. */
const ATTEMPTS = 4;
const MAX_SENT = 20;
const jsonRoutes = ROUTES.filter(({ body, encoding }) => body !== undefined && encoding === undefined);
const otlpRoutes = ROUTES.filter(({ encoding }) => encoding === 'otlp');

/** A large body of a route and what is large in it. Each attempt makes it anew, for resources of its own. */
interface Large {
  readonly name: string;
  readonly contentType: string;
  readonly make: (ids: FreshIds) => string | Buffer;
}

/**
 * A fixed number of bodies for each route, each with a value that is as much work as a value can be. Most are refused, some after all of
 * this work.
 */
describe('a turn of the event loop', () => {
  const { stack, client } = onStack(() => startStandalone({ LOG_LEVEL: 'error', ...RECORDING }));
  /** Of a project of their own: what events leave in the store is no work of the other routes. */
  let ingestionKey: string;
  let projectId: string;

  beforeAll(async () => {
    const listed = await client.call('GET', '/v1/projects');
    projectId = listed.json<{ id: string }[]>()[0]?.id ?? '';
    ingestionKey = await newProject(stack, 'events');
  });

  it('is recorded', () => expect(recordedTurns().length).toBeGreaterThan(0));

  it.each(jsonRoutes.map((route, turn) => [route.operation, route, turn] as const))(
    `takes at most ${MAX_TURN_MS} ms of CPU for large bodies of %s`,
    async (_operation, route, turn) => {
      const bodies = worstBodies(route, turn).map(({ name, make }) => ({
        ...{ name, contentType: 'application/json' },
        make: ({ inBody }: FreshIds) => make(inBody),
      }));
      expect(await longTurns(route, bodies)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.each(otlpRoutes.map((route, turn) => [route.operation, route, turn] as const))(
    `takes at most ${MAX_TURN_MS} ms of CPU for large requests of OTLP to %s`,
    async (_operation, route, turn) => {
      const signal = route.path.split('/').at(-1) ?? '';
      expect(await longTurns(route, worstOtlp(signal, turn))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  /** Sends bodies one by one. Returns those that lead to a longer turn each time, and prints the statuses. */
  async function longTurns(route: Route, bodies: readonly Large[]): Promise<string[]> {
    const long: string[] = [];
    const statuses: string[] = [];
    for (const large of bodies) {
      const turns: number[] = [];
      while (turns.length < ATTEMPTS && !turns.some((ms) => ms <= MAX_TURN_MS)) {
        const { ms, status } = await turnOf(route, large);
        turns.push(ms);
        statuses.push(`${status} ${ms} ms, ${large.name}`);
      }
      if (Math.min(...turns) > MAX_TURN_MS) long.push(`${large.name}: ${turns.join(', ')} ms`);
    }
    process.stdout.write(`${route.operation}: ${statuses.join('; ')}\n`);
    expect(statuses.filter((status) => status.startsWith('5'))).toEqual([]);
    return long;
  }

  /** Sends a body to a resource of its own, and waits until it is stored. */
  async function turnOf(route: Route, { contentType, make }: Large) {
    const project = route.owner === 'ingestion' ? ingestionKey : stack.apiKey;
    const ids = await freshIds(client, route, { projectId, project, admin: stack.adminToken });
    const { path } = sampleRequest(route, route.path, ids.ofPath);
    const options = {
      bytes: make(ids),
      key: route.access === 'admin' ? stack.adminToken : project,
      headers: { 'content-type': contentType },
    };
    let status = 0;
    const ms = await longestTurn(async () => {
      ({ status } = await served(() => client.call(route.method, path, options)));
      if (route.owner !== 'ingestion' || status !== 200) return;
      await new Client(stack, project).search({ limit: 1, filters: [NOTHING] });
    });
    return { ms, status };
  }
});

/** Sends again what the product says it serves later: while it stores what came before, or does not get a core. */
async function served(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await send();
    const seconds = Number(response.headers.get('retry-after'));
    if (response.status !== 503 || seconds === 0 || attempt === MAX_SENT) return response;
    await delay(seconds * 1_000);
  }
}

/** Waits for what is stored, and reads none of it. */
const NOTHING = { field: 'event_name', operator: 'is', value: 'no event', type: 'string' };
