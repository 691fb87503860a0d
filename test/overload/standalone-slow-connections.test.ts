import { randomUUID } from 'node:crypto';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { holdSockets, type HeldSocket } from './held-sockets.js';
import { expectUndisturbed, type Attack } from './quiet-project.js';
import { newProject } from './sources.js';
import { scrape } from './watch-process.js';

const DOCUMENT = 'GET /openapi.json HTTP/1.1\r\nHost: assay\r\n\r\n';

function incomplete(key: string, more: Partial<HeldSocket> = {}): HeldSocket {
  const head = [
    'POST /v1/events HTTP/1.1',
    'Host: assay',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Content-Length: 100000',
  ];
  return { head: `${head.join('\r\n')}\r\n\r\n{`, ...more };
}

/** The limit of open files of the process must be above the number of sockets: proc(5) `limits`, 20,000 where this was written. */
describe('a project beside clients that hold connections', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  const attack =
    (count: number, kinds: () => Promise<readonly HeldSocket[]>): Attack =>
    async () =>
      holdSockets(stack, count, await kinds());

  it('is not disturbed by 2,200 that pipeline requests for a document and read nothing', async () => {
    await expectUndisturbed(
      stack,
      attack(2_200, () => Promise.resolve([{ head: DOCUMENT.repeat(12) }])),
    );
  }, 600_000);

  it('is not disturbed by 2,300 requests of one project whose bodies do not arrive', async () => {
    const kinds = async () => [incomplete(await newProject(stack, `slow ${randomUUID()}`))];
    await expectUndisturbed(stack, attack(2_300, kinds));
  }, 600_000);

  it('is not disturbed by clients that send and read a byte per second, stop, or pipeline 1,000 requests', async () => {
    const kinds = async () => [
      incomplete(await newProject(stack, `slow ${randomUUID()}`), { drip: 'x' }),
      incomplete('unknown', { drip: 'x' }),
      { head: DOCUMENT, reads: 'slowly' } as const,
      { head: DOCUMENT, reads: 'once' } as const,
      { head: DOCUMENT.repeat(1_000) },
      { head: 'GET /healthz HTTP/1.1\r\nHost: assay\r\n', drip: 'X: 1\r\n' },
    ];
    await expectUndisturbed(stack, attack(2_200, kinds));
    expect(await scrape(stack.adminUrl('standalone'), 'assay_http_requests_waiting')).toBeLessThan(100);
  }, 600_000);
});
