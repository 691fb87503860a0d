import { getEventListeners } from 'node:events';
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

  it('leaves nothing at its sources', () => {
    const source = new AbortController();
    const links = Array.from({ length: 100 }, () => linkSignals([source.signal]));
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(100);
    for (const { unlink } of links) unlink();
    expect(getEventListeners(source.signal, 'abort')).toEqual([]);
    source.abort();
    expect(links.map(({ signal }) => signal.aborted)).not.toContain(true);
  });
});
