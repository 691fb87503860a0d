import { Client } from '../harness/stack/client.js';
import { ConsoleBrowser } from '../harness/stack/console-browser.js';
import { consoleFolder } from '../harness/stack/console-folder.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';
import { SESSION_SECRET, usesConsoleSessions } from './console-session-journey.js';

const DATA_PLANE_URL = 'https://data.example.com';

describe('the console of separate services with a registered data plane', () => {
  let key = '';
  const register = async ({ baseUrl, adminToken }: { baseUrl: string; adminToken: string }) => {
    const admin = new Client({ baseUrl, apiKey: adminToken });
    const project = (await admin.post('/v1/projects', { name: 'tenant' })).json<{
      id: string;
      api_key: string;
    }>();
    key = project.api_key;
    const registered = await admin.post('/v1/data-planes', {
      name: 'of the tenant',
      project_ids: [project.id],
    });
    const { token } = registered.json<{ token: string }>();
    return { CONTROL_PLANE_TOKEN: token, INGESTION_TOKEN: 'between-data-plane-and-ingestion' };
  };
  const start = (): Promise<Stack> =>
    startSplit(enginesFromEnvironment(), {
      register,
      everywhere: {
        CONSOLE_DIR: consoleFolder(),
        CONSOLE_SESSION_SECRET: SESSION_SECRET,
        CONSOLE_DATA_PLANE_URL: DATA_PLANE_URL,
      },
    });
  const on = onStack(start);
  usesConsoleSessions(on, 'data-plane', () => key);

  it('is served by the control plane too, with what that has, and links to the values', async () => {
    const baseUrl = on.stack.urlOf('control-plane');
    const browser = new ConsoleBrowser(new Client({ baseUrl, apiKey: '' }), { baseUrl });
    const session = (await browser.signIn({ api_key: key })).json<{
      project: string;
      capabilities: string[];
    }>();
    expect(session).toMatchObject({
      plane: 'control-plane',
      redact_values: true,
      data_plane_url: DATA_PLANE_URL,
    });
    expect(session.capabilities).toEqual(expect.arrayContaining(['listRuns', 'listSessions', 'listApiKeys']));
    for (const operation of ['getSessionTree', 'searchEvents', 'getEvent', 'getStatus'])
      expect(session.capabilities).not.toContain(operation);
    expect((await browser.of(session.project, 'GET', '/v1/sessions')).status).toBe(200);
    const internal = await browser.of(session.project, 'POST', '/internal/v1/keys/authenticate', {
      key: 'x',
    });
    expect(internal.status).toBe(401);
  });
});
