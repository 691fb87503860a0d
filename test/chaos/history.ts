import { fieldsOf, type Fields } from './observed-fields.js';

export type OperationKind = 'create' | 'update' | 'delete';

/**
 * `ok`: acknowledged, so it must hold. `fail`: refused, so it must not show. `unknown`: no answer, or one that claims nothing (a cut
 * connection, 503); it may take effect at any time after its start, or never.
 */
export type Outcome = 'ok' | 'fail' | 'unknown';

/** One request on one event. Times come from one clock, in any unit. */
export interface Operation {
  readonly id: string;
  readonly kind: OperationKind;
  /** What it sets; empty for a delete. */
  readonly fields: Fields;
  readonly outcome: Outcome;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Records what clients did while things broke, for judging what is left afterwards. */
export class History {
  private readonly done: Operation[] = [];
  private readonly underWay = new Set<Operation>();

  constructor(private readonly now: () => number) {}

  /**
   * Call right before the request goes out; call what it returns, once, with the outcome. One that never got an outcome counts as unknown.
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
    this.underWay.add(operation);
    return (outcome) => {
      if (!this.underWay.delete(operation)) throw new Error('the operation has an outcome already');
      this.done.push({ ...operation, outcome, endedAt: this.now() });
    };
  }

  /** Everything so far, also what is still under way. */
  get operations(): readonly Operation[] {
    return [...this.done, ...this.underWay];
  }
}
