import { setMaxListeners } from 'node:events';

/** A signal that follows others. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Ends the link, so that the others keep nothing of it. */
  readonly unlink: () => void;
}

/**
 * Returns a signal that aborts with the first of its sources, for work that ends before they do. Before Node 24 a source keeps an entry of every
 * `AbortSignal.any` until it is itself released, which for one of a process is never.
 */
export function linkSignals(sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const links = new AbortController();
  for (const source of sources) {
    const follow = () => controller.abort(source.reason);
    if (source.aborted) follow();
    // As many as there is such work at a time: no leak.
    setMaxListeners(0, source);
    source.addEventListener('abort', follow, { once: true, signal: links.signal });
  }
  return { signal: controller.signal, unlink: () => links.abort() };
}
