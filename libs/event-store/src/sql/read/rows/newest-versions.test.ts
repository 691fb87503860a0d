import { newestVersions, type RowOfVersion } from './newest-versions.js';

const row = (key_event: string, version: number, is_deleted = 0): RowOfVersion => ({
  key_event,
  key_session: 's',
  key_hour: 0,
  version,
  is_deleted,
});

describe('newestVersions', () => {
  it.each<[string, RowOfVersion[], RowOfVersion[] | undefined]>([
    ['nothing', [], []],
    ['the highest version, in any order', [row('a', 1), row('a', 3), row('a', 2)], [row('a', 3)]],
    ['no row that was deleted', [row('a', 1), row('a', 2, 1), row('b', 1)], [row('b', 1)]],
    ['a row that was written after it was deleted', [row('a', 2, 1), row('a', 3)], [row('a', 3)]],
    [
      'rows of one event at two locations',
      [row('a', 1), { ...row('a', 2), key_hour: 3_600 }],
      [row('a', 1), { ...row('a', 2), key_hour: 3_600 }],
    ],
    ['earlier versions that are equal', [row('a', 1), row('a', 1), row('a', 2)], [row('a', 2)]],
    ['the same, read later', [row('a', 2), row('a', 1), row('a', 1)], [row('a', 2)]],
    ['undefined for two newest versions', [row('a', 1), row('b', 1), row('a', 1)], undefined],
    ['undefined when one of them deletes', [row('a', 1), row('a', 1, 1)], undefined],
  ])('returns %s', (_title, rows, expected) => {
    expect(newestVersions(rows)).toEqual(expected);
  });
});
