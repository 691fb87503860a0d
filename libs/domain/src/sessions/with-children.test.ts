import { withChildren, type TreePlace } from './with-children.js';

const eventBelow = (eventId: string, parentId: string | null, startTime = 1): TreePlace => ({
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
      [eventBelow('a', 'p'), eventBelow('b', 'q'), eventBelow('c', null)],
      ['a'],
    ],
    [
      'are ordered by start, then by id',
      [],
      [eventBelow('b', 'p', 2), eventBelow('c', 'p', 1), eventBelow('a', 'p', 2)],
      ['c', 'a', 'b'],
    ],
    ['are listed once each', ['a', 'a'], [eventBelow('a', 'p'), eventBelow('a', 'p')], ['a']],
    ['keep a named child that has not arrived', ['later', 'a'], [eventBelow('a', 'p')], ['a', 'later']],
    [
      'lose a named child whose event has another parent',
      ['a', 'b'],
      [eventBelow('a', 'q'), eventBelow('b', null)],
      [],
    ],
    ['exclude the event itself', ['p'], [eventBelow('p', 'p')], []],
  ])('%s', (_, named, others, expected) => {
    expect(childrenOf(named, others)).toEqual(expected);
    expect(childrenOf(named, others.toReversed())).toEqual(expected);
  });
});
