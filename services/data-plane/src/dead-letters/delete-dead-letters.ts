import type { deleteDeadLetter, deleteDeadLetters } from '@assay/contracts';
import { notFound, validationError } from '@assay/errors';
import { removeDeadLetters, type EventLog } from '@assay/event-log';
import type { Operation } from '@assay/http';
import type { RunInOrder } from '../shared/run-in-order.js';
import { hasSelection, MAX_PER_CALL, selectDeadLetters } from './select-dead-letters.js';

interface DeleteDeps {
  readonly log: EventLog;
  readonly inOrder: RunInOrder;
}

/** Deletes one dead letter. */
export function makeDeleteDeadLetter({ log, inOrder }: DeleteDeps): Operation<typeof deleteDeadLetter> {
  return async ({ params }) => {
    const matches = selectDeadLetters({ ids: [params.dead_letter_id] });
    const deleted = await inOrder(() => removeDeadLetters(log, { limit: MAX_PER_CALL, matches }));
    if (deleted === 0) throw notFound('there is no such dead letter');
    return { success: true };
  };
}

/** Deletes the selected dead letters. */
export function makeDeleteDeadLetters({ log, inOrder }: DeleteDeps): Operation<typeof deleteDeadLetters> {
  return async ({ body }) => {
    if (!hasSelection(body))
      throw validationError('body requires ids, group, error_class or project_id: what to delete');
    const { limit = MAX_PER_CALL, ...selection } = body;
    const matches = selectDeadLetters(selection);
    return { success: true, deleted: await inOrder(() => removeDeadLetters(log, { limit, matches })) };
  };
}
