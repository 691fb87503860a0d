import type { Rejection } from '../../api/events.js';
import type { Job } from '../../api/jobs.js';
import type { Status } from '../../api/status.js';
import { formatCount } from '../../format/number.js';
import { formatDuration } from '../../format/duration.js';
import { printName } from '../../format/name.js';

/** Rows that are this late make people doubt what they see. */
const LATE_SECONDS = 10;
const RECENT_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export interface HealthFacts {
  readonly status: Status;
  /** Undefined: they could not be read, or not yet. */
  readonly rejections: readonly Rejection[] | undefined;
  readonly jobs: readonly Job[] | undefined;
  /** At least so many; undefined: not known, as for everyone but the administrator. */
  readonly deadLetters: number | undefined;
}

/** What a person should look at, also what is not known, a sentence each, in the order of the screen. Times are compared with the clock of the server. */
export function findProblems({ status, rejections, jobs, deadLetters = 0 }: HealthFacts): readonly string[] {
  const now = Date.parse(status.now);
  const since = (time: string, ms: number) => Date.parse(time) > now - ms;
  const rejected = (rejections ?? []).filter(({ at }) => since(at, RECENT_MS)).length;
  const failed = (jobs ?? []).filter((job) => job.state === 'failed' && since(job.updated_at, DAY_MS)).length;
  return [
    ...status.stages.flatMap(lateness),
    ...(rejections === undefined ? ['Rejected requests are not known.'] : []),
    ...(rejected > 0 ? [`${requests(rejected)} rejected in the last 5 minutes.`] : []),
    ...dropped(status),
    ...evaluation(status),
    ...(jobs === undefined ? ['Jobs are not known.'] : []),
    ...(deadLetters > 0 ? [`${records(deadLetters)} not processed: dead letters.`] : []),
    ...(failed > 0 ? [`${failed === 1 ? 'One job' : `${failed} jobs`} failed in the last day.`] : []),
  ];
}

const requests = (count: number) => (count === 1 ? 'One request was' : `${formatCount(count)} requests were`);

const records = (count: number) => (count === 1 ? 'One record was' : `${formatCount(count)} records were`);

function lateness({ name, lag_seconds: seconds, lag_records: records }: Status['stages'][number]): string[] {
  if (seconds === null || seconds < LATE_SECONDS) return [];
  const waiting = records === null ? '' : `, ${formatCount(records)} records wait`;
  return [`What is ${name} is ${formatDuration(seconds * 1_000)} late${waiting}.`];
}

function dropped({ store }: Status): string[] {
  if (store === null || store.dropped_events === 0) return [];
  return [
    `The store was above its limit: ${formatCount(store.dropped_events)} of the oldest events were dropped.`,
  ];
}

function evaluation({ python, provider_states: providers, evaluator_reason: reason }: Status): string[] {
  if (reason !== null) return [`Evaluation is not known: ${reason}.`];
  const states = (providers ?? []).filter(({ state }) => state !== 'available');
  return [
    ...(python?.available === false ? [`Python metrics are not evaluated: ${python.reason ?? ''}.`] : []),
    ...states.map(({ name, state }) => `The model provider ${printName(name)} is ${state}.`),
  ];
}
