import { startStandalone } from '../stack/start-standalone.js';

/** Run by failing-tests.test.ts. */
describe('a test that fails after it has started the product', () => {
  it('leaves the process running', async () => {
    const stack = await startStandalone();
    process.stdout.write(`started ${stack.pid('standalone')}\n`);
    throw new Error('an assertion failed');
  });
});
