import { AppError } from '@assay/errors';

/** Limits of one request, so that a retry does not send much again. */
const REQUEST_LIMITS = { bytes: 4 * 1024 * 1024, items: 500 };

/** Items that make one request. */
export interface RequestItems<T> {
  readonly items: readonly T[];
  /** Their JSON, separated by commas. */
  readonly json: string;
}

interface Group<T> {
  readonly items: T[];
  readonly texts: string[];
  bytes: number;
}

/**
 * Splits items into requests, in order: most below 4 MiB, none above 500 items. No items make no request.
 * @param maxItemBytes the largest item that fits into any request
 * @throws AppError `PAYLOAD_TOO_LARGE` for an item above it
 */
export function splitBatch<T>(items: readonly T[], maxItemBytes: number): RequestItems<T>[] {
  const groups: Group<T>[] = [];
  for (const item of items) {
    const text = JSON.stringify(item);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxItemBytes) throw new AppError('PAYLOAD_TOO_LARGE', 'the item is too large to be sent');
    const group = groups.at(-1);
    if (group === undefined || !fits(group, bytes)) groups.push({ items: [item], texts: [text], bytes });
    else {
      group.items.push(item);
      group.texts.push(text);
      group.bytes += bytes;
    }
  }
  return groups.map((group) => ({ items: group.items, json: group.texts.join(',') }));
}

function fits(group: Group<unknown>, bytes: number): boolean {
  return group.bytes + bytes <= REQUEST_LIMITS.bytes && group.items.length < REQUEST_LIMITS.items;
}
