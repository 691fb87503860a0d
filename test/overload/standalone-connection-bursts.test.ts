import { randomUUID } from 'node:crypto';
import type { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { burstConnections } from './connection-burst.js';
import { expectUndisturbed, usualRequests, type Attack } from './quiet-project.js';
import { newProject } from './sources.js';

/** As many as the server keeps open. */
const BURST = 2_000;
/** Opening, serving and closing so many connections takes most of a core: requests that take several turns of the event loop wait in each. */
const MAX_RATIO = 6;

/** The usual requests on connections that stay open, and look-ups on new ones. */
async function requestsOf(client: Client) {
  const usual = await usualRequests(client);
  return [...usual, { method: 'GET', path: '/v1/configurations', onNewConnection: true }];
}

/** The limit of open files must be above the number of connections, for this process and the server. */
describe('a project beside bursts of new connections', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  it.each(['without a key', 'of one project'])(
    'keeps its connections and gets new ones beside those %s',
    async (kind) => {
      const key = kind === 'of one project' ? await newProject(stack, `burst ${randomUUID()}`) : '';
      const request = `GET /v1/metrics HTTP/1.1\r\nHost: assay\r\nAuthorization: Bearer ${key}\r\n\r\n`;
      let opened = 0;
      const attack: Attack = () => {
        const bursts = burstConnections(stack, BURST, key === '' ? '' : request);
        return Promise.resolve(async () => {
          opened = await bursts.end();
        });
      };
      await expectUndisturbed(stack, attack, { requests: requestsOf, maxRatio: MAX_RATIO });
      expect(opened).toBeGreaterThanOrEqual(BURST);
    },
    600_000,
  );
});
