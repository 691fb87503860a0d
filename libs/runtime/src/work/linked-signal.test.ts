import { getEventListeners, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { linkSignals } from './linked-signal.js';

describe('linkSignals', () => {
  it('aborts with the first of its sources, for its reason', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals([first.signal, second.signal]);
    expect(signal.aborted).toBe(false);
    second.abort('second');
    first.abort('first');
    expect([signal.aborted, signal.reason]).toEqual([true, 'second']);
  });

  it('is aborted when a source is', () => {
    const { signal } = linkSignals([AbortSignal.abort('ended')]);
    expect([signal.aborted, signal.reason]).toEqual([true, 'ended']);
  });

  it('aborts when its time is over, also after a garbage collection', async () => {
    const { signal } = linkSignals([new AbortController().signal], 50);
    await collectGarbage();
    await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('leaves nothing at its sources', async () => {
    const source = new AbortController();
    const links = Array.from({ length: 100 }, () => linkSignals([source.signal]));
    // What nothing refers to is collected while the work lasts.
    await collectGarbage();
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(100);
    for (const { unlink } of links) unlink();
    expect(getEventListeners(source.signal, 'abort')).toEqual([]);
    source.abort();
    expect(links.map(({ signal }) => signal.aborted)).not.toContain(true);
  });
});

/** Collects garbage in a turn of its own: what was referred to weakly in a turn lives until its end. */
async function collectGarbage(): Promise<void> {
  await setImmediate();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
