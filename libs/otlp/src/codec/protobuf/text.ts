import { cleanString, decodeUtf8 } from '@assay/domain';
import { KeyTable } from './key-table.js';
import type { WireReader } from './wire-reader.js';

/** Reads a string field. Invalid UTF-8 and U+0000 become U+FFFD. */
export function readText(reader: WireReader): string {
  const end = reader.lengthEnd();
  const text = decode(reader, end);
  reader.at = end;
  return text;
}

const KEYS = new KeyTable();

/** Like {@link readText}, for frequently repeated strings. */
export function readKey(reader: WireReader): string {
  const end = reader.lengthEnd();
  const key = KEYS.read(reader.bytes, reader.at, end, () => decode(reader, end));
  reader.at = end;
  return key;
}

function decode(reader: WireReader, end: number): string {
  const { bytes, at } = reader;
  if (end - at >= LONG_TEXT_BYTES) return decodeLong(bytes.subarray(at, end));
  const text = bytes.toString('utf8', at, end);
  return text.includes('\0') ? cleanString(text) : text;
}

/** Length from which a native scan of the bytes is cheaper. */
const LONG_TEXT_BYTES = 1024;

function decodeLong(bytes: Buffer): string {
  const text = decodeUtf8(bytes);
  return bytes.includes(0) ? cleanString(text) : text;
}
