import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { flood } from './flood.js';
import { openSlowSockets } from './slow-sockets.js';
import { eventsFrom, largeBatch, newProject } from './sources.js';
import { watchProcess } from './watch-process.js';

const LARGE_BODIES = 6;
const SLOW_SOCKETS = 500;
const MAX_RESIDENT_MEGABYTES = 2_048;

/** Latencies beside these clients are figures of `npm run bench -- overload`. */
describe('requests beside clients that are slow or send large bodies', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  it('are all accepted while several bodies of 50 MB arrive', async () => {
    const source = eventsFrom(stack, await newProject(stack, 'large'));
    const large = { ...source, url: `${source.url}/batch`, bodies: [largeBatch()] };
    const watch = watchProcess(stack.pid('standalone'));
    const [sent, others] = await Promise.all([
      flood({ ...large, perSecond: LARGE_BODIES, durationMs: 1_000 }),
      flood({ ...eventsFrom(stack, stack.apiKey), perSecond: 20, durationMs: 5_000 }),
    ]);
    const { megabytes } = watch.stop();
    process.stdout.write(`50 MB bodies: ${JSON.stringify({ statuses: sent.statuses, megabytes })}\n`);
    expect([Object.keys(others.statuses), others.broken]).toEqual([['200'], {}]);
    expect(sent.statuses[200]).toBeGreaterThan(0);
    expect(sent.broken).toEqual({});
    expect(Object.keys(sent.statuses).filter((status) => status !== '200' && status !== '503')).toEqual([]);
    expect(megabytes).toBeLessThan(MAX_RESIDENT_MEGABYTES);
  }, 240_000);

  it('are all accepted beside 500 connections that send their body byte by byte', async () => {
    const close = await openSlowSockets(stack, SLOW_SOCKETS);
    const beside = await flood({ ...eventsFrom(stack, stack.apiKey), perSecond: 20, durationMs: 3_000 });
    close();
    expect([Object.keys(beside.statuses), beside.broken]).toEqual([['200'], {}]);
  }, 240_000);
});
