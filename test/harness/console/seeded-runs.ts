import type { Stack } from '../stack/stack.js';
import { eventId, sendEvents, type Sender } from './seeded-sessions.js';

/** Two runs on the same 40 datapoints, of which the new one lacks the last and fails on another. */
export interface SeededRuns {
  readonly oldRun: string;
  readonly newRun: string;
}

const DATAPOINTS = 40;
const OLD_ANSWER = 'It was shipped on 3 May. Usually 3 to 5 days.';
const WORSE_ANSWER = 'It was cancelled on 3 May.';

export async function seedRuns(stack: Stack): Promise<SeededRuns> {
  const oldRun = await createRun(stack, 'prompt-v6');
  const newRun = await createRun(stack, 'prompt-v7');
  await sendEvents(stack, sessionsOf(oldRun, 1_000, false));
  await sendEvents(stack, sessionsOf(newRun, 2_000, true));
  return { oldRun, newRun };
}

/** Two runs as those of {@link seedRuns}, of which no score has a condition to pass. */
export async function seedRunsWithoutRanges(stack: Stack): Promise<SeededRuns> {
  const oldRun = await createRun(stack, 'without ranges, old', {});
  const newRun = await createRun(stack, 'without ranges, new', {});
  await sendEvents(stack, sessionsOf(oldRun, 5_000, false));
  await sendEvents(stack, sessionsOf(newRun, 6_000, true));
  return { oldRun, newRun };
}

const DIFF_WORDS = 3_300;

/** Two runs of one datapoint whose outputs have 20 KB each, of which every 50th word differs. */
export async function seedDiff(stack: Stack): Promise<SeededRuns> {
  const oldRun = await createRun(stack, 'long outputs, old');
  const newRun = await createRun(stack, 'long outputs, new');
  const response = (run: string) =>
    Array.from({ length: DIFF_WORDS }, (_, nth) =>
      nth % 50 === 7 ? `${run}${nth}` : `word${nth % 97}`,
    ).join(' ');
  await sendEvents(stack, [
    { ...sessionsOf(oldRun, 3_000, false)[0], outputs: { answer: response('old') } },
    { ...sessionsOf(newRun, 4_000, true)[0], outputs: { answer: response('new') } },
  ]);
  return { oldRun, newRun };
}

/** Accuracy rises on most datapoints and falls on every ninth; `careful` is better on each of them. */
function sessionsOf(run: string, ids: number, isNew: boolean): Readonly<Record<string, unknown>>[] {
  const count = isNew ? DATAPOINTS - 1 : DATAPOINTS;
  return Array.from({ length: count }, (_, nth) => {
    const isWorse = isNew && nth % 9 === 1;
    const accuracy = isNew ? Number(!isWorse) : Number(nth % 4 !== 0);
    const start = Date.now() - 60_000 + nth;
    return {
      ...{
        event_id: eventId(ids + nth),
        session_id: eventId(ids + nth),
        event_type: 'session',
        source: 'evaluation',
      },
      ...{ event_name: 'answer', session_name: 'answer', start_time: start, end_time: start + 2_000 },
      ...{
        inputs: { question: `Where is order ${nth}?` },
        outputs: { answer: isWorse ? WORSE_ANSWER : OLD_ANSWER },
      },
      metrics: { accuracy, careful: (isNew ? 0.8 : 0.7) + (nth % 5) / 50 },
      metadata: { run_id: run, datapoint_id: `EXT-${100 + nth}` },
      feedback: { ground_truth: 'It was shipped on 3 May.' },
      ...(isNew && nth === 5 && { error: 'the provider refused the call' }),
    };
  });
}

const RANGES = { accuracy: { min: 0.5 } };

export async function createRun(
  stack: Sender,
  name: string,
  passing_ranges: object = RANGES,
): Promise<string> {
  const response = await fetch(`${stack.baseUrl}/v1/runs`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, status: 'completed', passing_ranges }),
  });
  if (!response.ok) throw new Error(`the run was refused: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { run_id: string }).run_id;
}
