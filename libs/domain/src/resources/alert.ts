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
export const ALERT_VERDICTS = ['breach', 'between', 'clear', 'no_data'] as const;
export type AlertVerdict = (typeof ALERT_VERDICTS)[number];

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
  readonly breaches: number;
  readonly clears: number;
}

export const INITIAL_ALERT_PROGRESS: AlertProgress = { state: 'ok', breaches: 0, clears: 0 };

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
export function alertVerdict(condition: AlertCondition, value: number | null): AlertVerdict {
  if (value === null || !Number.isFinite(value)) return 'no_data';
  const { operator, threshold, resolve_threshold: resolved } = condition;
  const isBeyond = (bound: number) => (operator === 'above' ? value > bound : value < bound);
  if (isBeyond(threshold)) return 'breach';
  return resolved !== null && isBeyond(resolved) ? 'between' : 'clear';
}

/** Returns the state after one more window. */
export function afterWindow(
  progress: AlertProgress,
  verdict: AlertVerdict,
  policy: AlertPolicy,
): AlertProgress {
  if (verdict !== 'no_data') return afterValue(progress, verdict, policy);
  if (policy.no_data === 'keep') return progress;
  if (policy.no_data === 'alert') return { state: 'no_data', breaches: 0, clears: 0 };
  return afterValue(progress, policy.no_data === 'ok' ? 'clear' : 'breach', policy);
}

function afterValue(
  { state, breaches, clears }: AlertProgress,
  verdict: Exclude<AlertVerdict, 'no_data'>,
  { for_windows: forWindows, resolve_windows: resolveWindows }: AlertPolicy,
): AlertProgress {
  if (state === 'firing') {
    if (verdict !== 'clear') return { state, breaches: forWindows, clears: 0 };
    return clears + 1 >= resolveWindows ? INITIAL_ALERT_PROGRESS : { state, breaches, clears: clears + 1 };
  }
  if (verdict !== 'breach') return INITIAL_ALERT_PROGRESS;
  const inARow = breaches + 1;
  return { state: inARow >= forWindows ? 'firing' : 'pending', breaches: inARow, clears: 0 };
}
