import { createHmac } from 'node:crypto';
import { UNKNOWN } from '../event-shape.js';

/** Returns the token that leaves the data plane in place of a name. Equal names have equal tokens. */
export type NameToken = (name: string) => string;

const PREFIX = 'name_';
const HEX_DIGITS = 32;

/** Names that a token has been computed for: the names of events are few, and their number is not bounded. */
const MAX_CACHED = 10_000;

/**
 * Returns a function that computes 128 bits of HMAC-SHA-256: without the key, names cannot be tried. An empty name, and the name
 * of events that have none, stay.
 */
export function makeNameToken(key: string): NameToken {
  const cached = new Map<string, string>();
  return function nameToken(name) {
    if (name === '' || name === UNKNOWN) return name;
    const known = cached.get(name);
    if (known !== undefined) return known;
    const digest = createHmac('sha256', key).update(name).digest('hex');
    const token = PREFIX + digest.slice(0, HEX_DIGITS);
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(name, token);
    return token;
  };
}
