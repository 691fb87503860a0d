import type { EventStore } from '@assay/event-store';
import type { Logger } from '@assay/runtime';

/**
 * Repairs rows that a crash left incomplete. A failure is logged: the rows stay
 * invisible, and the next start repairs them.
 */
export async function repairStore(store: Pick<EventStore, 'repair'>, logger: Logger): Promise<void> {
  try {
    const { removed, completed } = await store.repair();
    if (removed + completed > 0)
      logger.warn('repaired incomplete rows of the event store', { removed, completed });
  } catch (error) {
    logger.error('incomplete rows of the event store were not repaired', {}, error);
  }
}
