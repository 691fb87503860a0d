/** Compact form of a signed token: three parts, of which the first begins as that of a JSON object. */
const SIGNED_TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const PREFIX = 'person:';

/** Returns whether a credential has the form of a token of an identity provider. Costs nothing for keys, which begin otherwise. */
export function isSignedToken(text: string): boolean {
  return text.startsWith('eyJ') && SIGNED_TOKEN.test(text);
}

/** Returns what stands in place of the id of a key where a person calls. No key has such an id. */
export function keyIdOfPerson(subject: string): string {
  return PREFIX + subject;
}

/** Returns the subject of the person who calls; undefined when a key does. */
export function subjectOf(keyId: string): string | undefined {
  return keyId.startsWith(PREFIX) ? keyId.slice(PREFIX.length) : undefined;
}
