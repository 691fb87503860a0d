import { ShutdownStack } from './shutdown-stack.js';
import type { Logger } from '../log/logger.js';

function recordingLogger(): Logger & { lines: string[] } {
  const lines: string[] = [];
  const write = (phrase: string, fields?: object) => void lines.push(`${phrase} ${JSON.stringify(fields)}`);
  return { lines, error: write, warn: write, info: write, debug: write };
}

describe('ShutdownStack', () => {
  it('closes the newest part first, and each part once', async () => {
    const order: string[] = [];
    const shutdown = new ShutdownStack(recordingLogger());
    for (const name of ['store', 'reader', 'server'])
      shutdown.add(name, name, async (part) => void order.push(await Promise.resolve(part)));
    const [first, second] = await Promise.all([shutdown.close(), shutdown.close()]);
    expect(order).toEqual(['server', 'reader', 'store']);
    expect([first, second]).toEqual([true, true]);
  });

  it('continues after a failure and logs it without the text of the error', async () => {
    const logger = recordingLogger();
    const closed: string[] = [];
    const shutdown = new ShutdownStack(logger);
    shutdown.add('store', 1, async () => void closed.push(await Promise.resolve('store')));
    shutdown.add('reader', 2, () => Promise.reject(new TypeError('quotes a value')));
    expect(await shutdown.close()).toBe(false);
    expect(closed).toEqual(['store']);
    expect(logger.lines.join()).toContain('reader');
    expect(logger.lines.join()).not.toContain('quotes a value');
  });
});
