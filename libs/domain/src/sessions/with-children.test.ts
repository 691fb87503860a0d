import { withChildren, type TreePlace } from './with-children.js';

const place = (eventId: string, parentId: string | null, startTime = 1): TreePlace => ({
  eventId,
  parentId,
  startTime,
});

function childrenOf(named: string[], others: TreePlace[]) {
  return withChildren([{ event_id: 'p', children_ids: named }], others)[0]?.children_ids;
}

describe('the children of an event', () => {
  test.each<[string, string[], TreePlace[], string[]]>([
    ['are none without events below it', [], [], []],
    [
      'are those that name it as their parent',
      [],
      [place('a', 'p'), place('b', 'q'), place('c', null)],
      ['a'],
    ],
    [
      'stand by start, then by id',
      [],
      [place('b', 'p', 2), place('c', 'p', 1), place('a', 'p', 2)],
      ['c', 'a', 'b'],
    ],
    ['are each there once', ['a', 'a'], [place('a', 'p'), place('a', 'p')], ['a']],
    ['keep a name that nobody has yet', ['later', 'a'], [place('a', 'p')], ['a', 'later']],
    ['lose a name whose event says otherwise', ['a', 'b'], [place('a', 'q'), place('b', null)], []],
    ['do not hold the event itself', ['p'], [place('p', 'p')], []],
  ])('%s', (_, named, others, expected) => {
    expect(childrenOf(named, others)).toEqual(expected);
    expect(childrenOf(named, others.toReversed())).toEqual(expected);
  });
});
