import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { expectUndisturbed } from './quiet-project.js';
import { newProject } from './sources.js';

const MAX_SOURCE_BYTES = 65_536;
/** Texts for which CPython needs the square of their length, some versions for the first one. They do not compile, so none is stored. */
const SLOW = [
  `x = f"${'{a}'.repeat(MAX_SOURCE_BYTES / 3 - 8)}" 1`,
  `f(${Array.from({ length: 8_000 }, (_, n) => `a${n}=0`).join()}) 1`,
];
const TOO_LONG = `x = f"${'{a}'.repeat(80_000)}"`;
/** Each waits for its response before it sends the next request. */
const SENDERS = 6;
const BROKEN = 20;

const python = (criteria: string) => ({ name: 'length', type: 'PYTHON', criteria });

describe('metrics of a project beside one whose code takes long to compile', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  it('are stored promptly, and refused when they do not compile', async () => {
    const [slow, other] = await Promise.all(
      ['slow', 'other'].map(async (name) => new Client(stack, await newProject(stack, name))),
    );
    const refusals: number[] = [];
    const responses: number[] = [];
    const attack = () => {
      let isOver = false;
      const repeat = async (send: () => Promise<unknown>) => {
        while (!isOver) await send();
      };
      const post = async (client: Client, criteria: string, statuses: number[]) =>
        statuses.push((await client.post('/v1/metrics', python(criteria))).status);
      const senders = Array.from({ length: SENDERS }, (_, n) =>
        repeat(() => post(slow!, n === 0 ? TOO_LONG : SLOW[n % SLOW.length]!, responses)),
      );
      const author = (async () => {
        for (let sent = 0; sent < BROKEN; sent++) await post(other!, 'result = (1,', refusals);
      })();
      return Promise.resolve(() => {
        isOver = true;
        return Promise.all([author, ...senders]);
      });
    };
    await expectUndisturbed(stack, attack, {
      perSecond: 4,
      requests: () => Promise.resolve([{ method: 'POST', path: '/v1/metrics', body: python('result = 1') }]),
    });
    expect([...new Set(refusals)]).toEqual([400]);
    expect(responses.filter((status) => status !== 400 && status !== 503)).toEqual([]);
    process.stdout.write(`slow sources: ${responses.length} responses, ${refusals.length} refusals\n`);
  }, 240_000);
});
