import type { AdministrationPort } from '@assay/event-store';
import type { Logger } from '@assay/runtime';

/**
 * Repairs rows that a crash left incomplete. A failure is logged: the rows stay
 * invisible, and the next start repairs them.
 */
export async function repairStore(administration: AdministrationPort, logger: Logger): Promise<void> {
  try {
    const { removed, completed } = await administration.repair();
    if (removed + completed > 0)
      logger.warn('repaired incomplete rows of the event store', { removed, completed });
  } catch (error) {
    logger.error('incomplete rows of the event store were not repaired', {}, error);
  }
}
