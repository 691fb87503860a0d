import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { own } from '@assay/testing';
import { onFakeModel } from '../e2e/judge-journey.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const LOOPS = 4;
const EVALUATIONS = 300;
const CONCURRENCY = 4;
/** About 2,500 steps. */
const TEMPLATE = '{% for i in range(800) %}{{ i }}{% endfor %}';

describe('honest metrics on a machine that is busy', () => {
  const model = onFakeModel();
  const { client } = onStack(() => startStandalone({ LOG_LEVEL: 'error', ...model.environment() }));
  const loops: ReturnType<typeof spawn>[] = [];
  beforeAll(() => {
    for (let n = 0; n < LOOPS; n++)
      loops.push(own(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })));
  });
  afterAll(async () => {
    for (const loop of loops) {
      loop.kill();
      await once(loop, 'exit');
    }
  });

  it.each([
    ['a line of Python', { name: 'p', type: 'PYTHON', criteria: 'result = len(event["outputs"]["text"])' }],
    [
      'a template of 2,500 steps',
      { name: 'l', type: 'LLM', criteria: TEMPLATE, model_provider: 'openai', model_name: 'gpt-4o' },
    ],
  ])(
    'of %s all have a score',
    async (_what, metric) => {
      const statuses: Record<string, number> = {};
      let sent = 0;
      const evaluate = async () => {
        while (sent++ < EVALUATIONS) {
          const ran = await client.post('/v1/metrics/run', { metric, event: { outputs: { text: 'four' } } });
          const outcome = ran.status === 200 ? '200' : `${ran.status} ${ran.text}`;
          statuses[outcome] = (statuses[outcome] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, evaluate));
      expect(statuses).toEqual({ 200: EVALUATIONS });
    },
    600_000,
  );
});
