import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClickHouseEventStore, type EventStore } from '@assay/event-store';
import { newProject, queryOf, sampleEvent, writeEvents } from '@assay/event-store/test/event-fixture';
import { refuseFaults } from '@assay/runtime';
import { startServer } from './server-config.js';

const MIB = 1024 ** 2;

/** Runs a function on a store whose user has this profile. */
async function withProfile(profile: string, run: (store: EventStore) => Promise<void>): Promise<void> {
  const server = await startServer({ profile });
  const store = createClickHouseEventStore({ url: server.url });
  try {
    await run(store);
  } finally {
    await store.administration.close();
    await server.stop();
  }
}

function atMost(setting: string, value: number): string {
  return `<${setting}>${value}</${setting}><constraints><${setting}><max>${value}</max></${setting}></constraints>`;
}

async function refusal(store: EventStore): Promise<string> {
  const refused: unknown = await store.administration
    .inspect()
    .then(refuseFaults)
    .catch((error: unknown) => error);
  return String(refused);
}

describe('a profile of the user with low limits', () => {
  it('is kept, and large events are stored and read within it', async () => {
    const profile = `<max_threads>1</max_threads><constraints>
      <max_memory_usage><max>${512 * MIB}</max></max_memory_usage>
      <max_query_size><max>${256 * 1024}</max></max_query_size>
      <max_threads><const/></max_threads>
      <max_execution_time><max>20</max></max_execution_time></constraints>`;
    await withProfile(profile, async (store) => {
      refuseFaults(await store.administration.inspect());
      await store.administration.migrate();
      const project_id = newProject();
      const events = Array.from({ length: 4 }, (_, index) =>
        sampleEvent({ project_id, inputs: { text: `${index} ${'random text, '.repeat(600_000)}` } }),
      );
      await writeEvents(store, events);
      const keys = events.map(({ event_id: eventId }) => ({ projectId: project_id, eventId }));
      expect((await store.states.read(keys)).size).toBe(events.length);
      expect((await store.events.search(project_id, queryOf({ limit: 1 }))).total).toBe(events.length);
    });
  });

  it.each([
    ['max_memory_usage', 100 * MIB],
    ['max_query_size', 10_000],
  ])('refuses the start when %s would stop storing, and names it', async (setting, value) => {
    await withProfile(atMost(setting, value), async (store) => {
      expect(await refusal(store)).toMatch(`${setting} is ${value} and must be at least`);
    });
  });

  it('starts with few concurrent statements, says so, and loses nothing', async () => {
    await withProfile(
      '<max_concurrent_queries_for_user>2</max_concurrent_queries_for_user>',
      async (store) => {
        const findings = await store.administration.inspect();
        refuseFaults(findings);
        expect(findings.find(({ name }) => name === 'ClickHouse limits')).toMatchObject({
          ok: false,
          detail: expect.stringContaining('max_concurrent_queries_for_user is 2') as string,
        });
        await store.administration.migrate();
        const project_id = newProject();
        const events = Array.from({ length: 60 }, () => sampleEvent({ project_id }));
        // As a reader does: what fails in passing is delivered again.
        const deliver = async (version: number) => {
          for (;;)
            try {
              return await writeEvents(store, [events[version]!], version + 1);
            } catch (error) {
              expect(error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
            }
        };
        await Promise.all(events.map((_, index) => deliver(index)));
        expect((await store.events.search(project_id, queryOf())).total).toBe(events.length);
      },
    );
  });
});

describe('a proxy that refuses bodies above 1 MB', () => {
  const text = (bytes: number) => randomBytes(bytes / 2).toString('hex');

  it('gets a batch in parts, and its limit is named when one event is larger', async () => {
    const server = await startServer({});
    const proxy = await startRefusingProxy(server.url, 1_000_000);
    const store = createClickHouseEventStore({ url: proxy.url });
    try {
      await store.administration.migrate();
      const project_id = newProject();
      const event = (bytes: number) => sampleEvent({ project_id, inputs: { text: text(bytes) } });
      const events = Array.from({ length: 8 }, () => event(600_000));
      await writeEvents(store, events);
      expect(proxy.refused).toBeGreaterThan(0);
      expect((await store.events.search(project_id, queryOf({ limit: 1 }))).total).toBe(events.length);
      await expect(writeEvents(store, [event(4_000_000)])).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('a proxy in front of the event store refuses a request') as string,
      });
    } finally {
      await store.administration.close();
      await proxy.stop();
      await server.stop();
    }
  });
});

interface RefusingProxy {
  readonly url: string;
  /** Requests that it has refused. */
  readonly refused: number;
  stop(): Promise<void>;
}

/** Starts a proxy that responds to larger bodies with a page and the status 413. */
async function startRefusingProxy(target: string, maxBytes: number): Promise<RefusingProxy> {
  const counts = { refused: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (body.length > maxBytes) {
        counts.refused += 1;
        return void response
          .writeHead(413, { 'content-type': 'text/html' })
          .end('<html><head><title>413 Request Entity Too Large</title></head></html>');
      }
      const { method, headers } = request;
      const forwarded = httpRequest(`${target}${request.url}`, { method, headers }, (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      forwarded.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get refused() {
      return counts.refused;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
