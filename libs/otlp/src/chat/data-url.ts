import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';

/** First bytes of common media, in base 16. */
const SIGNATURES: readonly [beginning: string, mimeType: string][] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
  ['52494646', 'image/webp'],
  ['25504446', 'application/pdf'],
  ['494433', 'audio/mpeg'],
];
/** Fewer bytes are rather a list of numbers. */
const MIN_BYTES = 4;

/**
 * Returns the data URL of bytes that a library has written as JSON: `{"0": 137, "1": 80, …}` (a typed array), `{"type": "Buffer", "data": […]}`, or a
 * list of them that begins like a medium.
 * @param mimeType that of the part; recognised from the first bytes when it is absent
 */
export function asDataUrl(value: JsonValue, mimeType: string | undefined): string | undefined {
  const bytes = isJsonObject(value) ? bytesOf(value) : Array.isArray(value) ? toBuffer(value) : undefined;
  if (bytes === undefined) return undefined;
  const known = recognised(bytes);
  // A list may also be one of numbers.
  if (known === undefined && Array.isArray(value)) return undefined;
  return `data:${mimeType ?? known ?? 'application/octet-stream'};base64,${bytes.toString('base64')}`;
}

function bytesOf(value: JsonObject): Buffer | undefined {
  if (value['type'] === 'Buffer' && Array.isArray(value['data'])) return toBuffer(value['data']);
  // The last index is looked up first, so that other objects cost nothing.
  const keys = Object.keys(value);
  if (keys.length < MIN_BYTES || keys.at(-1) !== String(keys.length - 1) || keys[0] !== '0') return undefined;
  return toBuffer(Object.values(value));
}

function toBuffer(list: readonly JsonValue[]): Buffer | undefined {
  const isByte = (item: JsonValue) =>
    typeof item === 'number' && Number.isInteger(item) && item >= 0 && item < 256;
  return list.every(isByte) ? Buffer.from(list as number[]) : undefined;
}

function recognised(bytes: Buffer): string | undefined {
  const beginning = bytes.toString('hex', 0, 8);
  return SIGNATURES.find(([signature]) => beginning.startsWith(signature))?.[1];
}
