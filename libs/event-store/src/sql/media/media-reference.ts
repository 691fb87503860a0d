import { unavailable } from '@assay/errors';

/** What stands in a stored text for the base64 text of media: this, and the hash. */
const PREFIX = 'assay-media:';
const HASH = '[0-9a-f]{64}';
const PREFIX_BYTES = Buffer.from(PREFIX);
const REFERENCE = new RegExp(`${PREFIX}(${HASH})`, 'g');
/** The whole text value that a reference stands in, in its quotes. */
const VALUE = new RegExp(`"[^"\\\\]{0,256}${PREFIX}(${HASH})"`, 'g');
const IS_HASH = new RegExp(`^${HASH}$`);

/** Hashes of one statement: less than 256 KiB of text, which a ClickHouse server parses of one parameter. */
const HASHES_PER_QUERY = 3_000;

/** Hashes in lists that one statement takes. */
export function* hashesByQuery(hashes: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < hashes.length; from += HASHES_PER_QUERY)
    yield hashes.slice(from, from + HASHES_PER_QUERY);
}

/** Bytes of a reference. */
export const REFERENCE_LENGTH = PREFIX.length + 64;

/** Whether a text is the name of media: a SHA-256 in lower-case hexadecimal digits. */
export function isMediaHash(text: string): boolean {
  return IS_HASH.test(text);
}

export function referenceTo(hash: string): Buffer {
  return Buffer.from(PREFIX + hash);
}

/**
 * Whether a stored text contains what begins a reference. A row of which a client's text does is stored without media, so that in rows
 * with media nothing else begins so.
 */
export function mayRefer(json: Buffer): boolean {
  return json.includes(PREFIX_BYTES);
}

/** Returns a stored text with other JSON in place of each text value that has a reference. */
export function replaceValues(json: string, valueOf: (hash: string) => string): string {
  return json.replace(VALUE, (_value, hash: string) => valueOf(hash));
}

/** The failure of a read of media that are not in the store. */
export function missingMedia(): Error {
  return unavailable('the event store lacks media that an event refers to');
}

/** Returns a stored text with the text of each reference. */
export function replaceReferences(json: string, textOf: (hash: string) => string): string {
  return json.replace(REFERENCE, (_reference, hash: string) => textOf(hash));
}

/** Splits a stored text at its references: the texts between them, and after each of them but the last a hash. */
export function splitReferences(json: string): string[] {
  return json.split(REFERENCE);
}
