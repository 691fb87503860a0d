import type { Rejection } from '../../api/events.js';
import type { Job } from '../../api/jobs.js';
import type { Status } from '../../api/status.js';
import { findProblems } from './problems.js';
import { groupRejections } from './rejection-groups.js';

const NOW = '2026-11-01T12:00:00.000Z';

const aStage = (fields: object) => ({
  ...{ name: 'stored', scope: 'project', last_5_minutes: 0, last_hour: 0, total: 0 },
  ...{ lag_records: 0, lag_seconds: 0, ...fields },
});

const aStatus = (fields: object = {}) =>
  ({
    ...{ now: NOW, store: null, evaluator_reason: null, python: { available: true, reason: null } },
    ...{ provider_states: [{ name: 'openai', state: 'available' }], stages: [aStage({})] },
    ...fields,
  }) as unknown as Status;

const aRejection = (fields: object = {}) =>
  ({ at: NOW, route: 'POST /v1/events', status: 400, reason: 'X', field: null, ...fields }) as Rejection;

const problems = (facts: {
  status?: object;
  rejections?: Rejection[];
  jobs?: object[];
  deadLetters?: number;
}) =>
  findProblems({
    ...{ status: aStatus(facts.status), rejections: facts.rejections ?? [] },
    ...{ jobs: (facts.jobs ?? []) as Job[], deadLetters: facts.deadLetters },
  });

describe('what needs attention', () => {
  it('is nothing when every stage keeps up', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ status: { stages: [aStage({ lag_seconds: 9, lag_records: 5 })] } })).toEqual([]);
    expect(problems({ status: { stages: [aStage({ lag_seconds: null, lag_records: null })] } })).toEqual([]);
  });

  it('is a stage that is late, with what waits for it', () => {
    const stages = [aStage({ name: 'evaluated', lag_seconds: 192, lag_records: 1_200 })];
    expect(problems({ status: { stages } })).toEqual([
      'What is evaluated is 3 m 12 s late, 1,200 records wait.',
    ]);
  });

  it('is what was rejected in the last five minutes, by the clock of the server', () => {
    const old = aRejection({ at: '2026-11-01T11:54:00.000Z' });
    expect(problems({ rejections: [old] })).toEqual([]);
    expect(problems({ rejections: [aRejection(), old] })).toEqual([
      'One request was rejected in the last 5 minutes.',
    ]);
    expect(problems({ rejections: [aRejection(), aRejection()] })).toEqual([
      '2 requests were rejected in the last 5 minutes.',
    ]);
  });

  it('is a store that has dropped events of the project', () => {
    expect(problems({ status: { store: { dropped_events: 0 } } })).toEqual([]);
    expect(problems({ status: { store: { dropped_events: 1_200 } } })).toEqual([
      'The store was above its limit: 1,200 of the oldest events were dropped.',
    ]);
  });

  it('is an evaluator that does not work, or of which nothing is known', () => {
    const python = { available: false, reason: 'python3 is not installed' };
    const provider_states = [{ name: 'openai', state: 'paused' }];
    expect(problems({ status: { python, provider_states } })).toEqual([
      'Python metrics are not evaluated: python3 is not installed.',
      'The model provider openai is paused.',
    ]);
    const unknown = { python: null, provider_states: null, evaluator_reason: 'EVALUATE_EVENTS=false' };
    expect(problems({ status: unknown })).toEqual(['Evaluation is not known: EVALUATE_EVENTS=false.']);
  });

  it('is what could not be read: it is not nothing', () => {
    const facts = { status: aStatus(), rejections: undefined, jobs: undefined, deadLetters: undefined };
    expect(findProblems(facts)).toEqual(['Rejected requests are not known.', 'Jobs are not known.']);
  });

  it('is a record that was not processed, where dead letters are known', () => {
    expect(problems({ deadLetters: 0 })).toEqual([]);
    expect(problems({ deadLetters: 1 })).toEqual(['One record was not processed: dead letters.']);
    expect(problems({ deadLetters: 1_200 })).toEqual(['1,200 records were not processed: dead letters.']);
  });

  it('is a job that failed in the last day', () => {
    const failed = { state: 'failed', updated_at: NOW };
    const before = { state: 'failed', updated_at: '2026-10-31T11:00:00.000Z' };
    expect(problems({ jobs: [failed, before, { state: 'completed', updated_at: NOW }] })).toEqual([
      'One job failed in the last day.',
    ]);
    expect(problems({ jobs: [failed, failed] })).toEqual(['2 jobs failed in the last day.']);
  });
});

describe('rejected requests', () => {
  it('are grouped by route, status, reason and field, and the newest stands for its group', () => {
    const newest = aRejection({ field: 'inputs', message: 'newest' });
    const other = aRejection({ field: 'outputs' });
    const older = aRejection({ field: 'inputs', message: 'older' });
    expect(groupRejections([newest, other, older])).toEqual([
      { newest, count: 2 },
      { newest: other, count: 1 },
    ]);
  });
});
