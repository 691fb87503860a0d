import { MAX_EVENT_BYTES } from '@assay/domain';

/**
 * Room in a message for what its record has besides the JSON of the event: 128 indexed leaves with their paths, which are parts of that JSON
 * once more (193 KiB of UTF-8 at most), key, headers and framing.
 */
const ADDED_BYTES = 256 * 1024;

/**
 * Returns the size, in bytes of JSON, of the largest event whose record fits into a message.
 * @param messageBytes size of the largest message that the topic takes
 */
export function largestEventOf(messageBytes: number): number {
  return Math.min(MAX_EVENT_BYTES, messageBytes - ADDED_BYTES);
}
