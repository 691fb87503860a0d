import { randomUUID } from 'node:crypto';
import { ByteBudget, serve } from '@assay/http';
import type { Freshness } from '@assay/log-readers';
import { createLogger, createMetrics } from '@assay/runtime';
import { CALLER, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { eventRoutes } from '../events/routes.js';

describe('a 404 response to a read that waited', () => {
  let stored: StoredEvents;
  let serving: Awaited<ReturnType<typeof serve>>;
  let freshness: Freshness;

  beforeAll(async () => {
    stored = await startStoredEvents();
    const deps = { ...stored.deps(), waitUntilStored: () => Promise.resolve(freshness) };
    serving = await serve({
      host: '127.0.0.1',
      port: 0,
      adminPort: 0,
      bindings: eventRoutes(deps),
      authenticator: { authenticate: () => Promise.resolve(CALLER) },
      budget: new ByteBudget({ maxBytes: 1_000_000 }),
      openApi: { version: 'test' },
      logger: createLogger({ level: 'error', service: 'test' }),
      metrics: createMetrics({ processMetrics: false }),
      checks: {},
    });
  });
  afterAll(async () => {
    await serving.close(1_000);
    await stored.stop();
  });

  const readMissing = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${serving.baseUrl}/v1/events/${randomUUID()}`, {
      headers: { Authorization: 'Bearer key', ...headers },
    });
    return { status: response.status, freshness: response.headers.get('assay-freshness') };
  };

  it('says that everything accepted before is stored', async () => {
    freshness = { current: true };
    expect(await readMissing({ Prefer: 'wait=1' })).toEqual({ status: 404, freshness: 'current' });
  });

  it('says that the stored events are behind', async () => {
    freshness = { current: false, waitedMs: 1_000 };
    expect(await readMissing({ Prefer: 'wait=1' })).toEqual({
      status: 404,
      freshness: 'behind; seconds=1',
    });
  });

  it('has no freshness when the client does not wait', async () => {
    expect(await readMissing()).toEqual({ status: 404, freshness: null });
  });
});
