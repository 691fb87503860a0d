import type { Verified } from './verify-token.js';

const MAX_GROUPS = 10_000;
const MAX_NAME_LENGTH = 200;

/** A person of the identity provider. */
export interface Person {
  readonly subject: string;
  readonly name: string;
  readonly groups: readonly unknown[];
  /** Unix seconds. */
  readonly expires: number;
}

export type Claims = Extract<Verified, { readonly claims: unknown }>['claims'];

/** Returns the person of a verified token, or why its groups are not usable. */
export function personOf(claims: Claims, groupsClaim: string): Person | string {
  const groups = groupsOf(claims, groupsClaim);
  if (typeof groups === 'string') return groups;
  return { subject: claims.sub, name: nameOf(claims), groups, expires: claims.exp };
}

/** Returns the groups, or why there are none. */
function groupsOf(claims: Claims, name: string): readonly unknown[] | string {
  const value = valueAt(claims, name);
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return `the token has no list of groups in the claim ${name}`;
  return value.length <= MAX_GROUPS ? value : `the claim ${name} has more than ${MAX_GROUPS} entries`;
}

/** A claim whose own name has dots has precedence over a path. */
function valueAt(claims: object, name: string): unknown {
  if (Object.hasOwn(claims, name)) return (claims as Record<string, unknown>)[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Leaves out control characters, so that a line of the audit trail stays one line. */
function nameOf({ email, preferred_username, name, sub }: Claims): string {
  for (const stated of [email, preferred_username, name, sub]) {
    const text = typeof stated === 'string' ? stated.replace(/\p{C}/gu, '').trim() : '';
    if (text !== '') return text.slice(0, MAX_NAME_LENGTH);
  }
  return sub;
}
