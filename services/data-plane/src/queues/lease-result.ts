import type { QueueLeaseResult } from '@assay/control-plane-client';
import { AppError, notFound } from '@assay/errors';

/** Returns the error of a lease that was not given or ended; undefined for success. */
export function leaseError({ outcome }: QueueLeaseResult): AppError | undefined {
  switch (outcome) {
    case 'ok':
      return undefined;
    case 'no_queue':
      return notFound('queue not found');
    case 'no_event':
      return notFound('the event is not in the queue');
    case 'leased_by_other':
      return new AppError('CONFLICT', 'the event is leased to another annotator');
    case 'stale':
      return new AppError('CONFLICT', 'version is stale: the entry has changed, read it again');
    case 'too_many':
      return new AppError(
        'CONFLICT',
        'annotator has the maximum number of leases, complete, skip or release one',
      );
  }
}
