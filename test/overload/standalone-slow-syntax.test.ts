import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { flood } from './flood.js';
import { expectUndisturbed } from './quiet-project.js';
import { newProject } from './sources.js';

const MAX_SOURCE_BYTES = 65_536;
/** Texts for which CPython needs the square of their length, some versions for the first one. They do not compile, so none is stored. */
const SLOW = [
  `x = f"${'{a}'.repeat(MAX_SOURCE_BYTES / 3 - 8)}" 1`,
  `f(${Array.from({ length: 8_000 }, (_, n) => `a${n}=0`).join()}) 1`,
];
const TOO_LONG = `x = f"${'{a}'.repeat(80_000)}"`;
/** More checks than one slot can do. */
const PER_SECOND = 8;
const ATTACK_MS = 6_000;
const BROKEN = 20;

const python = (criteria: string) => ({ name: 'length', type: 'PYTHON', criteria });

describe('metrics of a project beside one whose code takes long to compile', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  it('are stored promptly, and refused when they do not compile', async () => {
    const [slow, other] = await Promise.all(['slow', 'other'].map(async (name) => newProject(stack, name)));
    const source = {
      url: `${stack.baseUrl}/v1/metrics`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${slow}` },
      bodies: [...SLOW, TOO_LONG].map((criteria) => Buffer.from(JSON.stringify(python(criteria)))),
    };
    const author = new Client(stack, other);
    const refusals: number[] = [];
    const statuses = new Set<string>();
    const writeBroken = async () => {
      for (let sent = 0; sent < BROKEN; sent++)
        refusals.push((await author.post('/v1/metrics', python('result = (1,'))).status);
    };
    const attack = () => {
      const under = Promise.all([
        flood({ ...source, perSecond: PER_SECOND, durationMs: ATTACK_MS }),
        writeBroken(),
      ]);
      return Promise.resolve(async () => {
        const [sent] = await under;
        for (const status of Object.keys(sent.statuses)) statuses.add(status);
      });
    };
    await expectUndisturbed(stack, attack, {
      perSecond: 4,
      requests: () => Promise.resolve([{ method: 'POST', path: '/v1/metrics', body: python('result = 1') }]),
    });
    expect([...new Set(refusals)]).toEqual([400]);
    expect([...statuses].filter((status) => status !== '400' && status !== '503')).toEqual([]);
  }, 600_000);
});
