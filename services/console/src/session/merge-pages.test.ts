import type { TreePage } from '../api/session-tree.js';
import { conversationSteps, versionOf } from './conversation-steps.js';
import { layOutTree } from './lay-out-tree.js';
import { mergePages } from './merge-pages.js';
import { printSessionView, readSessionView } from './session-view.js';

const uuid = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
const idsOf = (...nths: number[]) =>
  Buffer.from(nths.map((nth) => uuid(nth).replaceAll('-', '')).join(''), 'hex').toString('base64');

function pageOf(
  nths: number[],
  change: Partial<TreePage['events']> = {},
  rest: Partial<TreePage> = {},
): TreePage {
  const each = <Value>(value: Value) => nths.map(() => value);
  return {
    ...{
      session: null,
      total: null,
      start_time: 1_000,
      names: ['call'],
      types: ['model'],
      kinds: [],
      models: ['gpt-4o'],
      next_cursor: null,
    },
    events: {
      ...{
        ids: idsOf(...nths),
        name: each(0),
        type: each(0),
        kind: each(-1),
        model: each(0),
        parent: each(-1),
        start: nths.map((_, at) => at),
      },
      ...{
        duration: each(5),
        tokens: each(null),
        cost: each(null),
        errors: {},
        scores: {},
        outside_parents: {},
      },
      ...change,
    },
    ...rest,
  };
}
const SESSION = {
  event_id: uuid(9),
  session_name: 'agent',
  start_time: 1_000,
  duration: 60,
  metadata: { cost: 2 },
};

describe('events of the pages of a tree', () => {
  it('puts events below the session, and times after the first start', () => {
    const pages = [
      pageOf([1, 2], { parent: [-1, 0] }, { session: SESSION, total: 3, next_cursor: 'c' }),
      pageOf(
        [3],
        { outside_parents: { '0': uuid(2) } },
        { start_time: 1_500, names: ['late'], types: ['tool'] },
      ),
    ];
    const events = mergePages(pages);
    expect(events.parent).toEqual([-1, 0, 1, 2]);
    expect(events.start).toEqual([0, 0, 1, 500]);
    expect(events.name).toEqual(['agent', 'call', 'call', 'late']);
    expect(events.type.map((type) => events.types[type])).toEqual(['session', 'model', 'model', 'tool']);
    expect(events).toMatchObject({ total: 3, read: 3, nextCursor: null, outside_parents: {} });
    expect(events.rowOf.get(uuid(3))).toBe(3);
    expect(events.cost[0]).toBe(2);
  });

  it('keeps events at the top whose parent was never received, with their errors and scores', () => {
    const page = pageOf(
      [1, 2],
      { outside_parents: { '1': uuid(7) }, errors: { '1': 'no' }, scores: { '0': { good: true } } },
      { session: SESSION, total: 2 },
    );
    const events = mergePages([page]);
    expect(events.parent).toEqual([-1, 0, -1]);
    expect([events.errors['2'], events.scores['1']]).toEqual(['no', { good: true }]);
    expect(layOutTree(events).topReasons).toEqual(new Map([[2, 'outside']]));
  });

  it('reads a session of which only events are stored, and one without events', () => {
    expect(mergePages([pageOf([1], {}, { total: 1 })]).parent).toEqual([-1]);
    expect(mergePages([pageOf([], {}, { total: 0 })]).ids).toEqual([]);
  });
});

describe('steps of a conversation', () => {
  const page = pageOf(
    [1, 2, 3, 4],
    { type: [0, 1, 2, 1], parent: [-1, 0, 0, 0], errors: {} },
    { types: ['chain', 'model', 'tool'], session: SESSION, total: 4 },
  );
  const events = mergePages([page]);

  it('are the session, model calls and tools in order, with the calls before each', () => {
    expect(conversationSteps(events)).toEqual([
      { event: 0, before: [] },
      { event: 2, before: [] },
      { event: 3, before: [] },
      { event: 4, before: [2] },
    ]);
  });

  it('are the top events of a session without model calls', () => {
    const only = mergePages([pageOf([1, 2], { parent: [-1, 0] }, { types: ['chain'], total: 2 })]);
    expect(conversationSteps(only)).toEqual([{ event: 0, before: [] }]);
  });

  it('are read again when their event changes, and while it runs with the tree', () => {
    const running = mergePages([pageOf([1], { duration: [null] })]);
    expect(versionOf(running, 0, 'a')).not.toBe(versionOf(running, 0, 'b'));
    expect(versionOf(events, 2, 'a')).toBe(versionOf(events, 2, 'b'));
  });
});

describe('the address of a session page', () => {
  it('has the whole view, without what is as by default', () => {
    const view = {
      event: uuid(1),
      mode: 'tree',
      part: 'output',
      pills: ['key', 'errors'],
      query: 'a b',
    } as const;
    expect(readSessionView(printSessionView(view))).toEqual(view);
    expect(printSessionView(readSessionView({}))).toEqual({});
  });

  it('ignores what is no view', () => {
    const search = { event: '../x', view: 'graph', part: '9', pill: ['all', 'slow'], q: ['a', 'b'] };
    expect(readSessionView(search)).toEqual({ ...readSessionView({}), pills: ['slow'], query: 'a' });
  });
});
