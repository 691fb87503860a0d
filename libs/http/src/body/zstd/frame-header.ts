import { validationError } from '@assay/errors';

/** Largest window of a frame: no body is larger. The decoder needs no memory for it. */
const MAX_WINDOW_BYTES = 67_108_864;

/** What the header of a frame declares. */
export interface FrameHeader {
  readonly windowSize: number;
  /** Size of the content; undefined when it is not declared. */
  readonly contentSize: number | undefined;
  readonly hasChecksum: boolean;
}

const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const SINGLE_SEGMENT = 0x20;
const RESERVED = 0x08;
const CHECKSUM = 0x04;

/** Returns the number of bytes that follow the descriptor of a frame header. */
export function headerLength(descriptor: number): number {
  const isSingle = (descriptor & SINGLE_SEGMENT) !== 0;
  return (isSingle ? 0 : 1) + dictionaryBytes(descriptor) + contentSizeBytes(descriptor);
}

/**
 * Reads a frame header.
 * @param rest the bytes after the descriptor
 * @throws AppError `VALIDATION_ERROR` when the frame needs a dictionary or too large a window
 */
export function readFrameHeader(descriptor: number, rest: Buffer): FrameHeader {
  if ((descriptor & RESERVED) !== 0) throw new RangeError('a bit of the frame header is reserved');
  const isSingle = (descriptor & SINGLE_SEGMENT) !== 0;
  const dictionaryAt = isSingle ? 0 : 1;
  const dictionary = dictionaryBytes(descriptor);
  if (dictionary > 0 && rest.readUIntLE(dictionaryAt, dictionary) !== 0)
    throw validationError('zstd data must not need a dictionary');
  const contentSize = readContentSize(rest, dictionaryAt + dictionary, contentSizeBytes(descriptor));
  const windowSize = isSingle ? (contentSize ?? 0) : windowOf(rest[0] as number);
  if (!isSingle && windowSize > MAX_WINDOW_BYTES)
    throw validationError(
      `the window of zstd data must not be larger than ${MAX_WINDOW_BYTES / 1_048_576} MB`,
    );
  return { windowSize, contentSize, hasChecksum: (descriptor & CHECKSUM) !== 0 };
}

function dictionaryBytes(descriptor: number): number {
  return DICTIONARY_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3];
}

function contentSizeBytes(descriptor: number): number {
  const flag = (descriptor >> 6) as 0 | 1 | 2 | 3;
  return flag === 0 && (descriptor & SINGLE_SEGMENT) !== 0 ? 1 : CONTENT_SIZE_BYTES[flag];
}

function readContentSize(bytes: Buffer, at: number, width: number): number | undefined {
  if (width === 0) return undefined;
  if (width === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, width) + (width === 2 ? 256 : 0);
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}
