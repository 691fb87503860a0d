import { MAX_TREE_LEVELS, sessionTree, type TreeEvent, type TreeNode } from './session-tree.js';

const root: TreeEvent = { event_id: 'session', parent_id: null, start_time: 0 };
const event = (id: string, parent: string | null, start = 1): TreeEvent => ({
  event_id: id,
  parent_id: parent,
  start_time: start,
});

/** Returns the tree as nested lists of ids: `a(b c)`. */
function shape({ event_id: id, children }: TreeNode<TreeEvent>): string {
  return children.length === 0 ? id : `${id}(${children.map(shape).join(' ')})`;
}

const shapeOf = (...events: TreeEvent[]) => shape(sessionTree(root, events));

describe('the tree of a session', () => {
  test.each<[string, TreeEvent[], string]>([
    ['a session without events', [], 'session'],
    ['children below their parents', [event('b', 'a', 2), event('a', 'session')], 'session(a(b))'],
    [
      'a child that started before its parent',
      [event('b', 'a', 1), event('a', 'session', 5)],
      'session(a(b))',
    ],
    [
      'siblings by start, then by id',
      [event('b', 'session'), event('a', 'session'), event('c', 'session', 0.5)],
      'session(c a b)',
    ],
    ['an event whose parent is not there below the session', [event('a', 'nowhere')], 'session(a)'],
    ['an event that names no parent below the session', [event('a', null)], 'session(a)'],
    ['an event that is its own parent below the session', [event('a', 'a')], 'session(a)'],
    ['a circle of two, cut open at the earliest', [event('a', 'b', 2), event('b', 'a', 1)], 'session(b(a))'],
    [
      'a circle with events hanging on it',
      [event('c', 'a', 9), event('a', 'b', 2), event('b', 'a', 3)],
      'session(a(b c))',
    ],
    [
      'two circles',
      [event('a', 'b'), event('b', 'a'), event('c', 'd'), event('d', 'c')],
      'session(a(b) c(d))',
    ],
    ['the session among the events', [root, event('a', 'session')], 'session(a)'],
  ])('shows %s', (_, events, expected) => {
    expect(shapeOf(...events)).toBe(expected);
    expect(shapeOf(...events.toReversed())).toBe(expected);
  });

  test('has a depth that parsers support, contains every event, and takes linear time for a long chain', () => {
    const chain = Array.from({ length: 7_500 }, (_, i) =>
      event(`e${i}`, i === 0 ? 'session' : `e${i - 1}`, i),
    );
    const before = process.cpuUsage();
    const tree = sessionTree(root, chain);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
    let levels = 0;
    let last = tree;
    for (; last.children[0]; last = last.children[0]) levels++;
    expect(levels).toBe(MAX_TREE_LEVELS);
    const text = JSON.stringify(tree);
    expect(chain.every(({ event_id: id }) => text.includes(`"event_id":"${id}"`))).toBe(true);
  });

  test('contains every event once, whatever parents they name', () => {
    const seed = Date.now() % 2 ** 31;
    let state = seed;
    const random = (below: number) => (state = (state * 48_271) % (2 ** 31 - 1)) % below;
    for (let round = 0; round < 300; round++) {
      const size = 1 + random(12);
      const events = Array.from({ length: size }, (_, i) =>
        event(`e${i}`, `e${random(size + 1)}`, random(4)),
      );
      const ids = shapeOf(...events).match(/e\d+/g) ?? [];
      expect({ seed, ids: ids.sort() }).toEqual({ seed, ids: events.map(({ event_id: id }) => id).sort() });
    }
  });
});
