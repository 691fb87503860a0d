import { randomUUID } from 'node:crypto';
import type { ApiResponse, Client } from '../harness/stack/client.js';
import { PASSING_RANGES, SCORED, type SentScore } from './naive-run-numbers.js';

/** Start of the first event, Unix milliseconds; each further session starts a millisecond later. */
export const START = Date.parse('2026-11-01T00:00:00Z');
/** Sessions of a run, one for each of its datapoints. */
export const SESSIONS = 24;
const SESSIONS_PER_BATCH = 4;

/** A run as it is sent. */
export interface SentRun {
  readonly name: string;
  readonly run_id: string;
  /** Whether the events of a session name the run; if not, the session does. */
  readonly isNamedByEvents: boolean;
  readonly scores: readonly SentScore[];
}

interface RunFields extends Pick<SentRun, 'name' | 'isNamedByEvents'> {
  /** Number of the first datapoint. */
  readonly first: number;
  /** Scores differ by it. */
  readonly factor: number;
}

/** Makes a run on the datapoints from the `first` one. */
export function makeRun({ first, factor, ...fields }: RunFields): SentRun {
  const scores = Array.from({ length: SESSIONS }, (_, index) => ({
    session_id: randomUUID(),
    event_id: randomUUID(),
    datapoint_id: `d${String(first + index).padStart(2, '0')}`,
    accuracy: ((index * factor) % 32) / 32,
    polite: index % factor !== 0,
  }));
  return { run_id: randomUUID(), ...fields, scores };
}

/** Sends one request. */
export type Write = () => Promise<ApiResponse>;

/** Clients of the services that take runs and events, also while the data plane is down. */
export interface WriteServices {
  readonly runs: Client;
  readonly events: Client;
}

/** The writes of a run: each is safe to repeat. Events are sent in batches with a score; updates add the other one. */
export function writesOf(run: SentRun, services: WriteServices): Write[] {
  const { run_id, name, isNamedByEvents, scores } = run;
  const createRun = {
    run_id,
    name,
    status: 'completed',
    metadata: { passing_ranges: PASSING_RANGES },
  };
  const events = scores.map(({ session_id, event_id, datapoint_id, accuracy }, index) => {
    const times = { start_time: START + index, end_time: START + index + 1 };
    const metadata = { run_id, datapoint_id };
    const fields = { inputs: {}, session_id, ...times };
    const session = { event_type: 'session', event_id: session_id, event_name: 'case', metadata, ...fields };
    const event = { ...SCORED, event_id, metrics: { accuracy }, ...fields };
    return isNamedByEvents ? [{ ...event, metadata }] : [session, { ...event, parent_id: session_id }];
  });
  const batches = Array.from({ length: SESSIONS / SESSIONS_PER_BATCH }, (_, index) =>
    events.slice(index * SESSIONS_PER_BATCH, (index + 1) * SESSIONS_PER_BATCH).flat(),
  );
  return [
    () => services.runs.post('/v1/runs', createRun),
    ...batches.map(
      (batch) => () => services.events.post('/v1/events/batch', { events: batch, single_session: false }),
    ),
    ...scores.map(
      ({ event_id, polite }) =>
        () =>
          services.events.call('PUT', `/v1/events/${event_id}`, { body: { metrics: { polite } } }),
    ),
  ];
}
