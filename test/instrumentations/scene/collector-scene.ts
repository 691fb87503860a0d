/** Spans on their way through a Collector while Assay dies. */
export interface CollectorScene {
  readonly binary: string;
  readonly spans: number;
}

/** What came of the spans, as ids of spans; an id stands as often as there are events of it. */
export interface CollectorOutcome {
  /** What the Collector took from the application. */
  readonly sent: readonly string[];
  /** What Assay held just before it was killed, and when it had started again. */
  readonly keptBeforeKill: readonly string[];
  readonly keptAfterStart: readonly string[];
  /** What Assay holds at the end. */
  readonly kept: readonly string[];
}
