import type { Steps } from '@assay/runtime';
import { BrokenSpan } from '../codec/broken-span.js';
import type { SharedBytes } from '../codec/shared-bytes.js';
import type { Resource, Scope } from '../messages.js';
import type { LogCollector, RawRecord } from './log-record.js';

/** The log records of one resource, each as an encoded item. */
export interface EncodedGroup<Item> {
  readonly readResource: () => Resource;
  readonly scopes: readonly { readonly readScope: () => Scope; readonly items: readonly Item[] }[];
  readonly readRecord: (item: Item) => RawRecord;
}

export function countItems<Item>({ scopes }: Pick<EncodedGroup<Item>, 'scopes'>): number {
  return scopes.reduce((sum, { items }) => sum + items.length, 0);
}

/**
 * Decodes the records of one resource. A malformed record is rejected alone, a malformed scope or resource with its records.
 * @throws AppError PAYLOAD_TOO_LARGE when the attributes that records share exceed the budget of the request
 */
export function* collectRecords<Item>(
  group: EncodedGroup<Item>,
  collector: LogCollector,
  shared: SharedBytes,
): Steps<void> {
  const resource = guarded(group.readResource);
  const count = countItems(group);
  if (resource === undefined) return collector.reject(count);
  shared.add(resource.attributes, count);
  for (const { readScope, items } of group.scopes) {
    const scope = guarded(readScope);
    if (scope === undefined) collector.reject(items.length);
    else shared.add(scope.attributes, items.length);
    for (const item of scope === undefined ? [] : items) {
      yield;
      const record = guarded(() => group.readRecord(item));
      if (record === undefined) collector.reject();
      else collector.add(record, resource, scope as Scope);
    }
  }
}

/** A malformed part affects only itself. */
function guarded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenSpan) return undefined;
    throw error;
  }
}
