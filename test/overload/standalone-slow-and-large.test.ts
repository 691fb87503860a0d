import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { percentile } from '../bench/send-load.js';
import { flood } from './flood.js';
import { eventsFrom, newProject } from './sources.js';
import { scrape, watchProcess } from './watch-process.js';

const LARGE_BODIES = 6;
const DRIPPING_SOCKETS = 500;
const MAX_RESIDENT_MEGABYTES = 2_048;

describe('others beside clients that are slow or send much at once', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  it('are all answered while several bodies of 50 MB arrive', async () => {
    const source = eventsFrom(stack, await newProject(stack, 'large'));
    const large = { ...source, url: `${source.url}/batch`, bodies: [largeBatch()] };
    const watch = watchProcess(stack.pid('standalone'));
    const [sent, others] = await Promise.all([
      flood({ ...large, perSecond: LARGE_BODIES, durationMs: 1_000 }),
      flood({ ...eventsFrom(stack, stack.apiKey), perSecond: 20, durationMs: 5_000 }),
    ]);
    const lagP99 = await scrape(stack.adminUrl('standalone'), 'nodejs_eventloop_lag_p99_seconds');
    const { megabytes, slowdown } = watch.stop();
    process.stdout.write(
      `50 MB bodies: ${JSON.stringify({ statuses: sent.statuses, p99: percentile(others.latencies, 0.99), lagP99, megabytes, slowdown })}\n`,
    );
    expect([Object.keys(others.statuses), others.broken]).toEqual([['200'], {}]);
    expect(sent.statuses[200]).toBeGreaterThan(0);
    expect(sent.broken).toEqual({});
    expect(Object.keys(sent.statuses).filter((status) => status !== '200' && status !== '503')).toEqual([]);
    expect(megabytes).toBeLessThan(MAX_RESIDENT_MEGABYTES);
  }, 60_000);

  it('are not slowed down by five hundred sockets that drip', async () => {
    const source = { ...eventsFrom(stack, stack.apiKey), perSecond: 20, durationMs: 3_000 };
    const before = await flood(source);
    const dripping = await Promise.all(Array.from({ length: DRIPPING_SOCKETS }, () => openBody(stack)));
    const timer = setInterval(() => dripping.forEach((socket) => socket.write('x')), 500);
    const beside = await flood(source);
    clearInterval(timer);
    for (const socket of dripping) socket.destroy();
    expect([Object.keys(beside.statuses), beside.broken]).toEqual([['200'], {}]);
    // Twice the median, with 100 ms for what a shared machine does to either run.
    expect(percentile(beside.latencies, 0.5)).toBeLessThan(2 * percentile(before.latencies, 0.5) + 100);
  }, 60_000);
});

/** Five events of a little under 10 MB, the largest that one may be: a little under 50 MB together. */
function largeBatch(): Buffer {
  const event = { event_type: 'tool', event_name: 'large', inputs: { text: 'x'.repeat(10_400_000) } };
  return Buffer.from(JSON.stringify({ events: Array.from({ length: 5 }, () => event) }));
}

/** A connection whose request has begun and whose body does not come. */
async function openBody(stack: Stack): Promise<Socket> {
  const { hostname, port } = new URL(stack.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    'POST /v1/events HTTP/1.1',
    'Host: assay',
    `Authorization: Bearer ${stack.apiKey}`,
    'Content-Type: application/json',
  ];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: 100000\r\n\r\n{`);
  return socket;
}
