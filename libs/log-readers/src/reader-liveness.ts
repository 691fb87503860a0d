import type { ConsumerLoop } from '@assay/event-log';
import { checkReaderHealth } from './reader-monitoring.js';

type Loop = Pick<ConsumerLoop, 'idleMs'>;

/**
 * Returns liveness checks by reader, which fail when it has made no progress for 30 s. A reader that has stopped after too
 * many failed records passes: a restart would not help.
 */
export function readerLiveness(loops: Readonly<Record<string, Loop | undefined>>) {
  return Object.fromEntries(
    Object.entries(loops).flatMap(([name, loop]) =>
      loop === undefined
        ? []
        : [[name, () => checkReaderHealth({ tripped: () => false, idleMs: () => loop.idleMs() })]],
    ),
  ) as Record<string, () => Promise<void>>;
}
