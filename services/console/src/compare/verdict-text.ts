import type { ComparedMetric } from '../api/run-results.js';
import { formatScore, MISSING } from '../format/number.js';

/** What the scores of both runs show about a metric, in words and with a symbol. */
export interface VerdictText {
  readonly symbol: '▲' | '▼' | '○';
  readonly text: string;
  readonly tone: 'better' | 'worse' | 'neutral';
}

/** The verdict exactly as the API states it; never better or worse by a number alone. */
export function verdictText(statistics: ComparedMetric['statistics']): VerdictText {
  const { pairs, direction } = statistics;
  if (statistics.verdict === 'better') return { symbol: '▲', text: 'better', tone: 'better' };
  if (statistics.verdict === 'worse') return { symbol: '▼', text: 'worse', tone: 'worse' };
  if (statistics.verdict === 'too_few')
    return { symbol: '○', text: `too few to tell (n = ${String(pairs)})`, tone: 'neutral' };
  const text = direction === 'none' ? 'no direction' : 'no difference shown';
  return { symbol: '○', text, tone: 'neutral' };
}

/** Arrow for the direction in which a metric gets better; empty for a metric without one. */
export function directionMark(direction: string): string {
  return { higher: '↑', lower: '↓' }[direction] ?? '';
}

/** A difference with its sign. */
export function signed(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  if (value === 0) return '0';
  return `${value > 0 ? '+' : '−'}${formatScore(Math.abs(value))}`;
}

/** An interval as `[−0.028, +0.096]`. */
export function intervalText(interval: { readonly low: number; readonly high: number } | null): string {
  return interval === null ? MISSING : `[${signed(interval.low)}, ${signed(interval.high)}]`;
}

/** Whether a change of one score is for the better; undefined without a direction or a change. */
export function changeTone(delta: number | null, direction: string): VerdictText['tone'] {
  if (delta === null || delta === 0 || direction === 'none') return 'neutral';
  return delta > 0 === (direction === 'higher') ? 'better' : 'worse';
}
