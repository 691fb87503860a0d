import { LoginCodes } from './login-codes.js';
import { LoginLimit } from './login-limit.js';
import { makeSessionSeal, type Session } from './sealed-session.js';
import { expiryOf, IDLE_SECONDS, KEY_SECONDS, MAX_KEYS, stillValid, withKey } from './session-rules.js';

const keyOf = (projectId: string, since = 0) => ({ projectId, key: `key of ${projectId}`, since });
const session = (since: number, expires: number): Session => ({
  keys: [keyOf('p', since)],
  annotator: null,
  expires,
});

describe('a session', () => {
  test('ends after twelve hours without use', () => {
    const { expires } = { expires: expiryOf({ keys: [keyOf('p')] }, 1_000) };
    expect(expires).toBe(1_000 + IDLE_SECONDS);
    expect(stillValid(session(0, expires), expires - 1)).toBeDefined();
    expect(stillValid(session(0, expires), expires)).toBeUndefined();
  });

  test('ends seven days after the key was entered, however much it is used', () => {
    let used = session(0, IDLE_SECONDS);
    let hours = 0;
    for (; stillValid(used, hours * 3_600) !== undefined; hours++)
      used = { ...used, expires: expiryOf(used, hours * 3_600) };
    expect(hours).toBe(7 * 24);
  });

  test('loses a key of seven days, and keeps the younger one', () => {
    const both = { ...session(0, 2 * KEY_SECONDS), keys: [keyOf('old', 0), keyOf('young', 100)] };
    expect(stillValid(both, KEY_SECONDS + 50)?.keys).toEqual([keyOf('young', 100)]);
  });

  test('has one key for each project, and at most eight', () => {
    let all = session(0, 1);
    for (const name of ['a', 'b', 'a', ...Array.from({ length: MAX_KEYS }, (_, index) => `p${index}`)])
      all = { ...all, keys: withKey(all, keyOf(name, 5)) };
    expect(all.keys).toHaveLength(MAX_KEYS);
    expect(all.keys.map(({ projectId }) => projectId)).toEqual(
      Array.from({ length: MAX_KEYS }, (_, index) => `p${index}`),
    );
  });

  test('of eight projects fits into a cookie', () => {
    const key = `hh_fgdp_${'a'.repeat(24)}_${'b'.repeat(64)}`;
    const keys = Array.from({ length: MAX_KEYS }, (_, index) => ({
      ...{ projectId: `65c13dbbd65fb876b788${index}`, key, since: 1_795_255_200 },
    }));
    const sealed = makeSessionSeal(['s'.repeat(32)]).seal({
      keys,
      annotator: 'a'.repeat(200),
      expires: 1_795_255_200,
    });
    expect(sealed.length).toBeLessThan(3_000);
  });
});

describe('a code', () => {
  test('ends after ten minutes', async () => {
    let now = 0;
    const codes = new LoginCodes(() => now);
    const [first, second] = [0, 1].map(() => codes.create('p', () => Promise.resolve('key')));
    now = 600_000 - 1;
    expect(await codes.take(first!)).toBe('key');
    now = 600_000;
    expect(await codes.take(second!)).toBeUndefined();
  });

  test('of which there are too many in a project ends the oldest of it', async () => {
    const codes = new LoginCodes(() => 0);
    const other = codes.create('other', () => Promise.resolve('other'));
    const made = Array.from({ length: 21 }, () => codes.create('p', () => Promise.resolve('key')));
    expect(await codes.take(made[0]!)).toBeUndefined();
    expect(await codes.take(made[1]!)).toBe('key');
    expect(await codes.take(other)).toBe('other');
  });
});

test('the limit of attempts begins again after a minute', () => {
  let now = 0;
  const limit = new LoginLimit(() => now);
  const tenTimes = () => Array.from({ length: 10 }, () => limit.count('192.0.2.1'));
  tenTimes();
  now = 59_999;
  expect(() => limit.count('192.0.2.1')).toThrow('too many attempts');
  now = 60_000;
  expect(tenTimes).not.toThrow();
});
