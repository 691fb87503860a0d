import { fieldsOf, type Fields } from './observed-fields.js';

export type OperationKind = 'create' | 'update' | 'delete';

/**
 * `ok`: acknowledged, so it must be visible. `fail`: rejected, so it must not be. `unknown`: no response, or one that does not say (503,
 * a closed connection); it may take effect at any time after its start, or never.
 */
export type Outcome = 'ok' | 'fail' | 'unknown';

/** One request on one event. Times come from one clock, in any unit. */
export interface Operation {
  readonly id: string;
  readonly kind: OperationKind;
  /** The fields it sets; empty for a delete. */
  readonly fields: Fields;
  readonly outcome: Outcome;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Records requests and their outcomes during failures, to compare them with the final state. */
export class History {
  private readonly done: Operation[] = [];
  private readonly inProgress = new Set<Operation>();

  constructor(private readonly now: () => number) {}

  /**
   * Call before sending the request, and call the returned function once with the outcome. Without an outcome it counts as unknown.
   * @param body what the request sets: the event, or the update
   */
  begin(kind: OperationKind, id: string, body: object = {}): (outcome: Outcome) => void {
    const startedAt = this.now();
    const operation: Operation = {
      id,
      kind,
      fields: fieldsOf(body),
      outcome: 'unknown',
      startedAt,
      endedAt: Infinity,
    };
    this.inProgress.add(operation);
    return (outcome) => {
      if (!this.inProgress.delete(operation)) throw new Error('the operation has an outcome already');
      this.done.push({ ...operation, outcome, endedAt: this.now() });
    };
  }

  /** All operations, including those in progress. */
  get operations(): readonly Operation[] {
    return [...this.done, ...this.inProgress];
  }
}
