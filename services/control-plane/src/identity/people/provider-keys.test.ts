import { ProviderKeys, ProviderUnreachable } from './provider-keys.js';
import type { JSONWebKeySet, LocalJWKSet } from './provider-types.js';

const MINUTE = 60_000;

class UnknownKey extends Error {}

/** A provider that publishes these keys, or cannot be reached, and a clock. */
function provider(published: string[]) {
  const state = { now: 0, reads: 0, isDown: false, failures: 0, published };
  const keys = new ProviderKeys({
    read: () => {
      state.reads++;
      if (state.isDown) return Promise.reject(new Error('down'));
      return Promise.resolve({ keys: state.published.map((kid) => ({ kid })) } as JSONWebKeySet);
    },
    setOf:
      ({ keys: known }): LocalJWKSet =>
      ({ kid } = { alg: 'RS256' }) =>
        known.some((key) => key.kid === kid)
          ? Promise.resolve(kid as never)
          : Promise.reject(new UnknownKey()),
    isUnknownKey: (error) => error instanceof UnknownKey,
    onFailure: () => void state.failures++,
    now: () => state.now,
  });
  const find = (kid: string) => keys.find({ alg: 'RS256', kid }, { payload: '', signature: '' });
  return { state, find };
}

describe('keys of a provider', () => {
  it('are read once for tokens that arrive together, and again after ten minutes', async () => {
    const { state, find } = provider(['a']);
    expect(await Promise.all([find('a'), find('a'), find('a')])).toEqual(['a', 'a', 'a']);
    expect(state.reads).toBe(1);
    state.now += 10 * MINUTE - 1;
    await find('a');
    expect(state.reads).toBe(1);
    state.now += 1;
    await find('a');
    expect(state.reads).toBe(2);
  });

  it('are read for an unknown key, but not for each one', async () => {
    const { state, find } = provider(['a']);
    await find('a');
    state.published = ['a', 'b'];
    await expect(find('b')).rejects.toThrow(UnknownKey);
    state.now += 30_000;
    expect(await find('b')).toBe('b');
    for (let nth = 0; nth < 100; nth++) await expect(find(`invented-${nth}`)).rejects.toThrow(UnknownKey);
    expect(state.reads).toBe(2);
  });

  it('are used for a day while the provider cannot be reached, which is asked every five seconds', async () => {
    const { state, find } = provider(['a']);
    await find('a');
    state.isDown = true;
    state.now += 24 * 60 * MINUTE - 1;
    for (let nth = 0; nth < 10; nth++) expect(await find('a')).toBe('a');
    expect([state.reads, state.failures]).toEqual([2, 1]);
    state.now += 1;
    await expect(find('a')).rejects.toThrow(ProviderUnreachable);
    state.now += 5_000;
    state.isDown = false;
    expect(await find('a')).toBe('a');
  });

  it('are unreachable for a provider that was never there', async () => {
    const { state, find } = provider(['a']);
    state.isDown = true;
    for (let nth = 0; nth < 10; nth++) await expect(find('a')).rejects.toThrow(ProviderUnreachable);
    expect(state.reads).toBe(1);
  });
});
