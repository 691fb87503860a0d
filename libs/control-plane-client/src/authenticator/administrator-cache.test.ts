import { EventEmitter, once } from 'node:events';
import { administratorToken, type Administrator } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { AdministratorCache } from './administrator-cache.js';

const START = Date.parse('2026-11-01T00:00:00Z');
const tokenOf = (id: string) => administratorToken(id.padEnd(24, '0'), 's'.repeat(58));
const TOKEN = tokenOf('ada');
const ADA: Administrator = { administrator: true, id: 'ada', name: 'ada', role: 'operator' };

function cacheOf(administrator?: Administrator) {
  const state = { time: START, lookups: 0, found: administrator, isReachable: true };
  const cache = new AdministratorCache({
    controlPlane: {
      authenticateAdministrator: () => {
        state.lookups++;
        return state.isReachable ? Promise.resolve(state.found) : Promise.reject(unavailable('unreachable'));
      },
    },
    knownForMs: 30_000,
    now: () => state.time,
  });
  return { cache, state };
}

describe('the cache of administrators', () => {
  it('looks a token up once in 30 seconds, and then knows that it was revoked', async () => {
    const { cache, state } = cacheOf(ADA);
    expect(await Promise.all(Array.from({ length: 50 }, () => cache.authenticate(TOKEN)))).toEqual(
      Array.from({ length: 50 }, () => ADA),
    );
    state.found = undefined;
    state.time += 29_999;
    expect(await cache.authenticate(TOKEN)).toEqual(ADA);
    expect(state.lookups).toBe(1);
    state.time += 1;
    expect(await cache.authenticate(TOKEN)).toBeUndefined();
    expect(state.lookups).toBe(2);
  });

  it('looks a token up at its expiry, before the end of 30 seconds', async () => {
    const { cache, state } = cacheOf({ ...ADA, expiresAt: new Date(START + 1_000).toISOString() });
    expect(await cache.authenticate(TOKEN)).toMatchObject(ADA);
    state.found = undefined;
    state.time += 999;
    expect(await cache.authenticate(TOKEN)).toMatchObject(ADA);
    state.time += 1;
    expect(await cache.authenticate(TOKEN)).toBeUndefined();
    expect(state.lookups).toBe(2);
  });

  it('looks an unknown token up once in 5 seconds, and a malformed one never', async () => {
    const { cache, state } = cacheOf();
    for (let n = 0; n < 5; n++) expect(await cache.authenticate(TOKEN)).toBeUndefined();
    for (const text of ['', 'assay_adm_', TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.replace('adm', 'dp')])
      expect(await cache.authenticate(text)).toBeUndefined();
    expect(state.lookups).toBe(1);
    state.found = ADA;
    state.time += 5_000;
    expect(await cache.authenticate(TOKEN)).toEqual(ADA);
  });

  it('knows for no longer when the clock is set back', async () => {
    const { cache, state } = cacheOf(ADA);
    await cache.authenticate(TOKEN);
    state.time -= 3_600_000;
    state.found = undefined;
    expect(await cache.authenticate(TOKEN)).toBeUndefined();
  });

  it('fails while the control plane is unreachable, and asks it once a second', async () => {
    const { cache, state } = cacheOf(ADA);
    await cache.authenticate(TOKEN);
    state.time += 30_000;
    state.isReachable = false;
    for (let n = 0; n < 3; n++)
      await expect(cache.authenticate(TOKEN)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(state.lookups).toBe(2);
    state.isReachable = true;
    state.time += 1_000;
    expect(await cache.authenticate(TOKEN)).toEqual(ADA);
  });

  it('refuses further look-ups while 32 wait', async () => {
    const responses = new EventEmitter().setMaxListeners(32);
    const cache = new AdministratorCache({
      controlPlane: { authenticateAdministrator: () => once(responses, 'found').then(() => ADA) },
      knownForMs: 30_000,
      now: () => START,
    });
    const waiting = Array.from({ length: 32 }, (_, n) => cache.authenticate(tokenOf(`t${n}x`)));
    await expect(cache.authenticate(tokenOf('late'))).rejects.toMatchObject({ code: 'OVERLOADED' });
    responses.emit('found');
    expect(await Promise.all(waiting)).toHaveLength(32);
  });
});
