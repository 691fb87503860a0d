/** `pending`: the condition holds, but not for enough windows yet. */
export const ALERT_STATES = ['ok', 'pending', 'firing', 'no_data'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** On which side of the threshold the condition holds. */
export const ALERT_OPERATORS = ['above', 'below'] as const;
export type AlertOperator = (typeof ALERT_OPERATORS)[number];

/** What is compared: the value of the window, or its change in percent against the window before. */
export const ALERT_COMPARISONS = ['value', 'change'] as const;
export type AlertComparison = (typeof ALERT_COMPARISONS)[number];

/** What a window without a value means: a state of its own, no breach, a breach, or nothing. */
export const NO_DATA_POLICIES = ['alert', 'ok', 'breach', 'keep'] as const;
export type NoDataPolicy = (typeof NO_DATA_POLICIES)[number];

/** What a window shows: `between` the threshold and the one that resolves. */
export const ALERT_OUTCOMES = ['breach', 'between', 'clear', 'no_data'] as const;
export type AlertOutcome = (typeof ALERT_OUTCOMES)[number];

/** When the condition of an alert holds, and when it ends. */
export interface AlertCondition {
  readonly operator: AlertOperator;
  readonly compare: AlertComparison;
  readonly threshold: number;
  /** Null: that of the condition. */
  readonly resolve_threshold: number | null;
}

/** How the states of an alert follow each other. */
export interface AlertPolicy {
  /** Windows in a row that breach before the alert fires. */
  readonly for_windows: number;
  /** Windows in a row that are clear before it ends. */
  readonly resolve_windows: number;
  readonly no_data: NoDataPolicy;
}

/** State of an alert, with the windows in a row that led to it. */
export interface AlertProgress {
  readonly state: AlertState;
  /** Whether it fired and has not ended since; also while there is no data. */
  readonly has_fired: boolean;
  readonly breaches: number;
  readonly clears: number;
}

export const INITIAL_ALERT_PROGRESS: AlertProgress = {
  state: 'ok',
  has_fired: false,
  breaches: 0,
  clears: 0,
};

/**
 * Returns what is compared with the threshold; null when there is no data.
 * @param before value of the window before, for a change
 */
export function comparedValue(
  compare: AlertComparison,
  value: number | null,
  before: number | null,
): number | null {
  if (compare === 'value' || value === null) return value;
  if (before === null || before === 0) return null;
  return ((value - before) / Math.abs(before)) * 100;
}

/** Returns what a window shows by the compared value. */
export function alertOutcome(condition: AlertCondition, value: number | null): AlertOutcome {
  if (value === null || !Number.isFinite(value)) return 'no_data';
  const { operator, threshold, resolve_threshold: resolved } = condition;
  const isBeyond = (bound: number) => (operator === 'above' ? value > bound : value < bound);
  if (isBeyond(threshold)) return 'breach';
  return resolved !== null && isBeyond(resolved) ? 'between' : 'clear';
}

/**
 * Returns the state after one more window. A window without data is never better than one with data: it ends no alert, and the windows
 * that are clear before and after it are not in a row.
 */
export function afterWindow(
  progress: AlertProgress,
  outcome: AlertOutcome,
  policy: AlertPolicy,
): AlertProgress {
  if (outcome !== 'no_data') return afterValue(progress, outcome, policy);
  if (policy.no_data === 'keep') return progress;
  if (policy.no_data === 'alert') return { ...progress, state: 'no_data', clears: 0 };
  return afterValue(progress, policy.no_data === 'ok' ? 'clear' : 'breach', policy);
}

function afterValue(
  { has_fired: hasFired, breaches, clears }: AlertProgress,
  outcome: Exclude<AlertOutcome, 'no_data'>,
  { for_windows: forWindows, resolve_windows: resolveWindows }: AlertPolicy,
): AlertProgress {
  if (hasFired) {
    const clearsInARow = outcome === 'clear' ? clears + 1 : 0;
    if (clearsInARow >= resolveWindows) return INITIAL_ALERT_PROGRESS;
    return { state: 'firing', has_fired: true, breaches, clears: clearsInARow };
  }
  if (outcome !== 'breach') return INITIAL_ALERT_PROGRESS;
  const inARow = breaches + 1;
  const fires = inARow >= forWindows;
  return { state: fires ? 'firing' : 'pending', has_fired: fires, breaches: inARow, clears: 0 };
}
