import { setMaxListeners } from 'node:events';

/** A signal that follows others. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Ends the link, so that the others keep nothing of it. */
  readonly unlink: () => void;
}

/**
 * Returns a signal that aborts with the first of its sources, or after `withinMs`, for work that ends before they do. On Node 20 a garbage
 * collection releases an `AbortSignal.timeout` that only an `AbortSignal.any` follows, which then never aborts. A source keeps an entry of every
 * `AbortSignal.any` until it is itself released, which for one of a process is never. Nor does a source release every listener that the `signal`
 * option should remove: of several of the same source, a garbage collection leaves the last.
 */
export function linkSignals(sources: readonly AbortSignal[], withinMs?: number): LinkedSignal {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException('the time is over', 'TimeoutError'));
  const timer = withinMs === undefined ? undefined : setTimeout(expire, withinMs).unref();
  const links = sources.map((source) => ({ source, follow: () => controller.abort(source.reason) }));
  for (const { source, follow } of links) {
    if (source.aborted) follow();
    // As many as there is such work at a time: no leak.
    setMaxListeners(0, source);
    source.addEventListener('abort', follow, { once: true });
  }
  const unlink = () => {
    clearTimeout(timer);
    for (const { source, follow } of links) source.removeEventListener('abort', follow);
  };
  return { signal: controller.signal, unlink };
}
