import { setMaxListeners } from 'node:events';

/** A signal that follows others. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Ends the link, so that the others keep nothing of it. */
  readonly unlink: () => void;
}

/**
 * Returns a signal that aborts with the first of its sources, for work that ends before they do. Before Node 24 a source keeps an entry of every
 * `AbortSignal.any` until it is itself released, which for one of a process is never. Nor does a source release every listener that the `signal`
 * option should remove: of several of the same source, a garbage collection leaves the last.
 */
export function linkSignals(sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const links = sources.map((source) => ({ source, follow: () => controller.abort(source.reason) }));
  for (const { source, follow } of links) {
    if (source.aborted) follow();
    // As many as there is such work at a time: no leak.
    setMaxListeners(0, source);
    source.addEventListener('abort', follow, { once: true });
  }
  const unlink = () => {
    for (const { source, follow } of links) source.removeEventListener('abort', follow);
  };
  return { signal: controller.signal, unlink };
}
