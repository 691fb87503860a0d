import { ROUTES } from '@assay/contracts';
import { seeded } from '../bench/prose.js';
import { sampleRequest } from '../conformance/sample-request.js';
import { callUntilServed } from '../harness/stack/call-until-served.js';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { mutateBytes, mutateJson } from './mutate.js';
import { sendSqlInStrings } from './sql-in-strings.js';

const REQUESTS = 2_000;
const CONCURRENCY = 8;
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const routes = ROUTES.filter((route) => route.body !== undefined);

describe(`random input on every route (SEED=${seed})`, () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'warn' }));

  it('treats SQL in every path parameter, query parameter and string of a body as data', async () => {
    const pid = stack.pid('standalone');
    expect(await sendSqlInStrings(stack, seeded(seed))).toBeGreaterThan(ROUTES.length);
    expect(stack.pid('standalone')).toBe(pid);
  }, 900_000);

  it('accepts damaged JSON bodies or rejects them as a client error, and the server keeps running', async () => {
    const pid = stack.pid('standalone');
    const client = new Client(stack);
    const random = seeded(seed);
    const unexpected: string[] = [];
    const counts: Record<number, number> = {};
    let sent = 0;
    const worker = async () => {
      while (sent < REQUESTS) {
        const number = sent++;
        const route = routes[number % routes.length]!;
        const { path, body } = sampleRequest(route, route.path);
        const text = JSON.stringify(mutateJson(body, random)) ?? 'null';
        const bytes = random() < 0.2 ? mutateBytes(Buffer.from(text), random) : text;
        const key = route.access === 'admin' ? stack.adminToken : stack.apiKey;
        const response = await callUntilServed(client, route, path, {
          bytes,
          key,
          headers: { 'content-type': 'application/json' },
        });
        counts[response.status] = (counts[response.status] ?? 0) + 1;
        if (response.status >= 500)
          unexpected.push(
            `request ${number}, ${route.operation}: ${response.status} ${response.text.slice(0, 200)}`,
          );
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    process.stdout.write(`routes fuzz, SEED=${seed}: ${JSON.stringify(counts)}\n`);
    expect(unexpected).toEqual([]);
    expect(counts[400]).toBeGreaterThan(REQUESTS / 20);
    expect(stack.pid('standalone')).toBe(pid);
    expect((await client.post('/v1/events', { event_type: 'tool', inputs: {} })).status).toBe(200);
  }, 900_000);
});
