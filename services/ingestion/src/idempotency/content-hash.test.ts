import { createHash } from 'node:crypto';
import { contentHashSteps } from './content-hash.js';

describe('the hash of a request', () => {
  it.each([
    ['a small one', { event_name: 'a', inputs: { t: 'é"\ud800' } }],
    ['a long text', { inputs: { t: 'é"😀'.repeat(500_000) } }],
    ['many keys', { inputs: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n])) }],
  ])('is that of its JSON text for %s, so that repetitions across releases are known', (_what, content) => {
    const hashing = contentHashSteps('createEvent', content);
    let [steps, step] = [0, hashing.next()];
    for (; step.done !== true; step = hashing.next()) steps++;
    const text = JSON.stringify(['createEvent', content]);
    expect(step.value).toBe(createHash('sha256').update(text).digest('hex'));
    expect(steps).toBeGreaterThanOrEqual(Math.floor(text.length / 400_000));
  });
});
