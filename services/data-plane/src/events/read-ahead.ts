import { unavailable } from '@assay/errors';

/**
 * Reads one item ahead: the next one is read while the present one is used, and no further one. When the reader leaves, or
 * `signal` aborts, the read under way is cancelled by the signal that `read` gets.
 * @throws AppError `UNAVAILABLE` when `signal` aborts, and what `read` throws
 */
export async function* readAhead<Item>(
  read: (signal: AbortSignal) => AsyncGenerator<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const left = new AbortController();
  const items = read(AbortSignal.any([signal, left.signal]));
  try {
    let next = items.next();
    for (;;) {
      const item = await next;
      if (item.done === true) return;
      if (signal.aborted) throw unavailable('the client has disconnected', signal.reason);
      next = items.next();
      // A failure is reported when the item is asked for.
      next.catch(() => undefined);
      yield item.value;
    }
  } finally {
    left.abort();
  }
}
