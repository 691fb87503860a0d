import { acceptEvent, foldState, type EventPatch, type FoldRecord } from '@assay/domain';
import { History, type Outcome } from './history.js';
import { judgeHistory, type Observed } from './judge-history.js';
import { fieldsOf, type Fields } from './observed-fields.js';

const RUNS = 150;
const OPERATIONS = 60;
const seed = Date.now() % 2 ** 31;

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Run {
  readonly history: History;
  readonly observed: Observed[];
  readonly random: () => number;
}

type Change =
  | { kind: 'event'; body: { metadata: { k: number } } }
  | { kind: 'patch'; body: EventPatch }
  | { kind: 'delete' };

/** Runs clients against the merge rules of the product. An acknowledged change is in the log; one of unknown outcome is there, late, or missing. */
function play(runSeed: number): Run {
  const random = randomFrom(runSeed);
  let clock = 0;
  const history = new History(() => ++clock);
  const logs = new Map<string, Change[]>();
  const late: [Change[], Change][] = [];
  for (let n = 0; n < OPERATIONS; n++) {
    const id = `event-${Math.floor(random() * 8)}`;
    const log = logs.get(id) ?? [];
    logs.set(id, log);
    const change = changeOf(random, n);
    const kind = change.kind === 'event' ? 'create' : change.kind === 'patch' ? 'update' : 'delete';
    const finish = history.begin(kind, id, change.kind === 'delete' ? {} : change.body);
    const outcome = outcomeOf(random);
    if (outcome === 'ok' || (outcome === 'unknown' && random() < 0.4)) log.push(change);
    else if (outcome === 'unknown' && random() < 0.5) late.push([log, change]);
    finish(outcome);
  }
  for (const [log, change] of late) log.push(change);
  return { history, observed: [...logs].flatMap(([id, log]) => observe(id, log)), random };
}

function changeOf(random: () => number, value: number): Change {
  const dice = random();
  if (dice < 0.35) return { kind: 'event', body: { metadata: { k: value } } };
  if (dice < 0.95)
    return {
      kind: 'patch',
      body: random() < 0.5 ? { metadata: { k: value } } : { metrics: { m: value }, outputs: { o: value } },
    };
  return { kind: 'delete' };
}

function outcomeOf(random: () => number): Outcome {
  const dice = random();
  if (dice < 0.75) return 'ok';
  return dice < 0.9 ? 'unknown' : 'fail';
}

function observe(id: string, log: readonly Change[]): Observed[] {
  const { event } = foldState({}, log.map(recordOf));
  if (event === undefined) return [];
  const { metadata, metrics, outputs } = event;
  return [
    { id, fields: fieldsOf({ metadata, metrics, ...(Object.keys(outputs).length > 0 ? { outputs } : {}) }) },
  ];
}

function recordOf(change: Change, version: number): FoldRecord {
  if (change.kind === 'delete') return { version, kind: 'delete' };
  if (change.kind === 'patch') return { version, kind: 'patch', patch: change.body };
  const context = { projectId: 'p', now: 0, newId: () => '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e' };
  return {
    version,
    kind: 'event',
    event: acceptEvent({ event_type: 'tool', ...change.body }, context).event,
  };
}

/** Ways to corrupt the state of one event. */
const FORGERIES: Readonly<Record<string, (row: Observed) => Observed[]>> = {
  'an event twice': (row) => [row, row],
  'a value that no client sent': (row) => [{ ...row, fields: withField(row.fields, 'metadata.k', '999') }],
  'a key that no client sent': (row) => [{ ...row, fields: withField(row.fields, 'feedback.f', '1') }],
  'an event that no client sent': (row) => [row, { id: 'event-99', fields: new Map() }],
};

function withField(fields: Fields, name: string, value: string): Fields {
  return new Map([...fields, [name, value]]);
}

describe(`judgeHistory on random histories (seed ${seed})`, () => {
  it('finds no violation in a state made by the merge rules', () => {
    for (let run = 0; run < RUNS; run++) {
      const { history, observed } = play(seed + run);
      expect({ run, violations: judgeHistory(history.operations, observed) }).toEqual({
        run,
        violations: [],
      });
    }
  });

  it.each(Object.entries(FORGERIES))('reports %s', (_name, forge) => {
    for (let run = 0; run < RUNS; run++) {
      const { history, observed, random } = play(seed + run);
      const at = Math.floor(random() * observed.length);
      const forged = observed.flatMap((row, index) => (index === at ? forge(row) : [row]));
      const violations = judgeHistory(history.operations, forged).length;
      expect({ run, violations: observed.length === 0 ? 1 : violations }).toEqual({ run, violations: 1 });
    }
  });

  it('reports a missing acknowledged event', () => {
    for (let run = 0; run < RUNS; run++) {
      const { history, observed } = play(seed + run);
      const doubtful = new Set(
        history.operations.filter(({ kind }) => kind === 'delete').map(({ id }) => id),
      );
      const sure = history.operations.find(
        ({ id, kind, outcome }) => kind === 'create' && outcome === 'ok' && !doubtful.has(id),
      );
      const rest = observed.filter(({ id }) => id !== sure?.id);
      const violations = judgeHistory(history.operations, rest);
      expect({ run, violations }).toEqual({
        run,
        violations: sure === undefined ? [] : [{ kind: 'lost event', id: sure.id }],
      });
    }
  });
});
