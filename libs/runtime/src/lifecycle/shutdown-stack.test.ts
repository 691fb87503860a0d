import { ShutdownStack } from './shutdown-stack.js';
import type { Logger } from '../log/logger.js';

function recordingLogger(): Logger & { lines: string[] } {
  const lines: string[] = [];
  const write = (phrase: string, fields?: object) => void lines.push(`${phrase} ${JSON.stringify(fields)}`);
  return { lines, error: write, warn: write, info: write, debug: write };
}

describe('Closing', () => {
  it('closes newest first, and only once', async () => {
    const order: string[] = [];
    const closing = new ShutdownStack(recordingLogger());
    for (const name of ['store', 'reader', 'server'])
      closing.add(name, name, async (thing) => void order.push(await Promise.resolve(thing)));
    const [first, second] = await Promise.all([closing.close(), closing.close()]);
    expect(order).toEqual(['server', 'reader', 'store']);
    expect([first, second]).toEqual([true, true]);
  });

  it('goes on after a failure, and says so without the text of the error', async () => {
    const logger = recordingLogger();
    const closed: string[] = [];
    const closing = new ShutdownStack(logger);
    closing.add('store', 1, async () => void closed.push(await Promise.resolve('store')));
    closing.add('reader', 2, () => Promise.reject(new TypeError('quotes a value')));
    expect(await closing.close()).toBe(false);
    expect(closed).toEqual(['store']);
    expect(logger.lines.join()).toContain('reader');
    expect(logger.lines.join()).not.toContain('quotes a value');
  });
});
