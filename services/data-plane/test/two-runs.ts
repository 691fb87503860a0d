import type { Event, JsonObject } from '@assay/domain';
import { aRule, aRun, type ServedRuns } from './run-fixture.js';

const OLD_ID = '11111111-1111-4111-8111-111111111111';
const NEW_ID = '22222222-2222-4222-8222-222222222222';

/** Scores of the run `old`, by datapoint: accuracy and whether the answer is polite. */
const OLD_SCORES = [
  [1, true],
  [0, true],
  [0.5, false],
  [0.25, true],
] as const;
/** Scores of the run `new`; the last datapoint is not in the old run. */
const NEW_SCORES = [
  [1, true],
  [1, false],
  [0.25, false],
  [0.75, true],
  [0, true],
] as const;

/**
 * Stores two runs on the datapoints `d1` to `d4` and `d1` to `d5`: a session for each, with one event `answer` that
 * has the scores `accuracy` (its definition passes from 0.5) and `polite` (of a client), and an explanation. The
 * composite `overall` is (3 · accuracy + polite) / 4 on each answer, and passes from 0.6.
 */
export async function storeTwoRuns(served: ServedRuns): Promise<{ oldId: string; newId: string }> {
  served.metrics.push(
    aRule('accuracy', { threshold: { min: 0.5 } }),
    aRule('overall', {
      type: 'COMPOSITE',
      criteria: 'weighted average',
      threshold: { min: 0.6 },
      child_metrics: [
        { name: 'accuracy', weight: 3 },
        { name: 'polite', weight: 1 },
      ],
      filters: { filterArray: [{ field: 'event_name', operator: 'is', value: 'answer', type: 'string' }] },
    }),
  );
  served.runs.set(OLD_ID, aRun({ run_id: OLD_ID, name: 'prompt v1' }));
  served.runs.set(NEW_ID, aRun({ run_id: NEW_ID, name: 'prompt v2' }));
  await served.add(eventsOf(OLD_ID, '1', OLD_SCORES));
  await served.add(eventsOf(NEW_ID, '2', NEW_SCORES));
  return { oldId: OLD_ID, newId: NEW_ID };
}

function eventsOf(
  run_id: string,
  digit: string,
  scores: readonly (readonly [number, boolean])[],
): Partial<Event>[] {
  return scores.flatMap(([accuracy, polite], index) => {
    const id = (kind: number) => `${digit}0000000-0000-4000-8000-00000000${kind}00${index + 1}`;
    const session_id = id(0);
    const metrics: JsonObject = { accuracy, accuracy_explanation: 'because', polite, note: 'NaN' };
    const start_time = 1_790_000_000_000 + index * 1_000;
    const session: Partial<Event> = {
      event_id: session_id,
      session_id,
      event_type: 'session',
      event_name: `run ${digit}`,
      metadata: { run_id, datapoint_id: `d${index + 1}` },
      start_time,
    };
    // The answer names neither the run nor the datapoint: its session does.
    const reply: Partial<Event> = {
      event_id: id(1),
      session_id,
      parent_id: session_id,
      event_type: 'chain',
      event_name: 'answer',
      metrics,
      start_time: start_time + 1,
    };
    return [session, reply];
  });
}
