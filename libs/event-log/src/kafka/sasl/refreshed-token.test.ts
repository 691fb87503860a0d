import { makeRefreshedToken, TokenRefusedError, type AccessToken } from './refreshed-token.js';

/** A source of tokens that live for 100 s, with a clock that the test sets. */
function aSource() {
  const state: { now: number; failure?: Error; calls: number } = { now: 0, calls: 0 };
  const fetchToken = (): Promise<AccessToken> => {
    state.calls += 1;
    if (state.failure !== undefined) return Promise.reject(state.failure);
    return Promise.resolve({ value: `token ${state.calls}`, expiresAt: state.now + 100_000 });
  };
  return { state, token: makeRefreshedToken({ fetchToken, now: () => state.now }) };
}

describe('a refreshed token', () => {
  it('is one for all connections, and is replaced before it expires', async () => {
    const { state, token } = aSource();
    expect(await Promise.all([token(), token(), token()])).toEqual(['token 1', 'token 1', 'token 1']);
    state.now = 79_999;
    expect(await token()).toBe('token 1');
    state.now = 80_000;
    expect(await Promise.all([token(), token()])).toEqual(['token 2', 'token 2']);
    expect(state.calls).toBe(2);
  });

  it('is used while it is valid when it cannot be replaced, with an attempt every 10 s', async () => {
    const { state, token } = aSource();
    await token();
    state.failure = new TokenRefusedError('refused');
    for (const [now, calls] of [
      [80_000, 2],
      [89_999, 2],
      [90_000, 3],
    ] as const) {
      state.now = now;
      expect(await token()).toBe('token 1');
      expect(state.calls).toBe(calls);
    }
    state.now = 100_000;
    await expect(token()).rejects.toBe(state.failure);
    delete state.failure;
    expect(await token()).toBe('token 5');
  });

  it('fails with an error that the client of Kafka retries, unless the credentials are refused', async () => {
    const { state, token } = aSource();
    state.failure = new Error('the token endpoint of Kafka did not respond');
    await expect(token()).rejects.toMatchObject({ retriable: true, message: state.failure.message });
    state.failure = new TokenRefusedError('refused');
    await expect(token()).rejects.toBe(state.failure);
  });
});
