import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const [, criteria = ''] =
  /```python\n([\s\S]*?)```/.exec(readFileSync(join(repository, 'docs/python-metrics.md'), 'utf8')) ?? [];

describe('the first example of docs/python-metrics.md', () => {
  const { client } = onStack(startStandalone);

  it.each<[string, object, object, number]>([
    ['a text', { ground_truth: 'The answer is four' }, { content: 'four, the answer' }, 0.75],
    ['an object', { ground_truth: { answer: 'four' } }, { content: 'the answer is four' }, 1],
    ['a list', { ground_truth: ['four', 'five'] }, { content: 'four' }, 0.5],
    ['a number', { ground_truth: 0 }, { content: 'it is 0' }, 1],
    ['no ground truth', {}, { content: 'four' }, 0],
    ['an empty text', { ground_truth: '' }, { content: 'four' }, 0],
    ['no content', { ground_truth: 'four' }, {}, 0],
  ])('scores an event with %s', async (_name, feedback, outputs, score) => {
    const metric = { name: 'share', type: 'PYTHON', return_type: 'float', criteria };
    const event = { event_type: 'model', event_name: 'answer', inputs: {}, outputs, feedback };
    const response = await client.post('/v1/metrics/run', { metric, event });
    expect([response.status, response.text]).toEqual([200, expect.stringContaining(`"result":${score}`)]);
  });
});
