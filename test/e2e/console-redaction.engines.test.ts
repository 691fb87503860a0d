import { ROUTES, type Route } from '@assay/contracts';
import { CANARIES, seedRedaction } from '../harness/console/seeded-redaction.js';
import { Client } from '../harness/stack/client.js';
import { ConsoleBrowser } from '../harness/stack/console-browser.js';
import { consoleFolder } from '../harness/stack/console-folder.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { SESSION_SECRET } from './console-session-journey.js';

interface SessionBody {
  readonly project: string;
  readonly capabilities: readonly string[];
}

describe('the console of a control plane beside a data plane that redacts values', () => {
  const on = onStack(() =>
    startSplit(enginesFromEnvironment(), {
      dataPlane: { REDACT_VALUES: 'true' },
      everywhere: { CONSOLE_DIR: consoleFolder(), CONSOLE_SESSION_SECRET: SESSION_SECRET },
    }),
  );
  let browser: ConsoleBrowser;
  let session: SessionBody;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const { baseUrl, apiKey } = on.stack;
    const controlPlaneUrl = on.stack.urlOf('control-plane');
    const seeded = await seedRedaction({ baseUrl, controlPlaneUrl, apiKey });
    const made = await on.client.post('/v1/datapoints/batch', {
      ...{ selectAll: true, dataset_id: seeded.dataset_id },
    });
    const { insertedIds, redacted } = made.json<{ insertedIds: string[]; redacted: boolean }>();
    expect([insertedIds.length, redacted]).toEqual([3, true]);
    const filterArray = [{ field: 'error', operator: 'exists', type: 'string' }];
    const failures = await on.client.post('/v1/queues', { name: 'failures', filters: { filterArray } });
    const { queue } = failures.json<{ queue: { id: string } }>();
    const backfill = await on.client.post(`/v1/queues/${queue.id}/backfill`, {});
    const { job_id } = backfill.json<{ job_id: string }>();
    browser = new ConsoleBrowser(new Client({ baseUrl: controlPlaneUrl, apiKey: '' }), {
      baseUrl: controlPlaneUrl,
    });
    session = (await browser.signIn({ api_key: apiKey })).json<SessionBody>();
    ids = { ...seeded, job_id, datapoint_id: insertedIds[0]!, project_id: session.project };
  }, 180_000);

  /** As the pages ask; what only administrators may read with their token. */
  const read = ({ path, access }: Route) => {
    const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);
    if (access !== 'admin') return browser.of(session.project, 'GET', filled);
    const admin = new Client({
      baseUrl: on.stack.urlOf('control-plane'),
      apiKey: on.stack.adminToken,
    });
    return admin.call('GET', filled);
  };

  it('reads everything that is served to it, and gets no value of an event', async () => {
    const routes = ROUTES.filter(
      ({ method, operation }) => method === 'GET' && session.capabilities.includes(operation),
    );
    const texts: string[] = [];
    for (const route of routes) {
      const { status, text } = await read(route);
      expect([route.operation, status, CANARIES.exec(text)?.[0]]).toEqual([route.operation, 200, undefined]);
      texts.push(text);
    }
    for (const named of ['refund-agent', 'golden questions', 'tone', 'refunds', 'slow answers', 'gpt-4o'])
      expect(texts.some((text) => text.includes(named))).toBe(true);
    expect(routes.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['listSessions', 'getUsage', 'listRuns', 'listDatapoints', 'listAuditEntries']),
    );
  });

  it('has the values where they were sent', async () => {
    const { events } = await on.client.search({ limit: 10 });
    expect(CANARIES.test(JSON.stringify(events))).toBe(true);
  });
});
