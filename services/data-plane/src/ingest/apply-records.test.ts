import type { Tombstone } from '@assay/event-store';
import { runSync } from '@assay/runtime';
import { applyRecords } from './apply-records.js';
import type { RecordGroup } from '../shared/consumed-event-record.js';

const IDS = { projectId: 'project', eventId: '6d0e8f4e-3a56-4c0a-9a52-0d7f6f0f7a11' };
const KEY = `${IDS.projectId}/${IDS.eventId}`;
const HALF: Tombstone = {
  ...IDS,
  sessionId: '0f6b6a52-7a0e-4f0e-9d29-1d1f0f8f7f10',
  startTime: 1_767_225_600_000,
  version: 5,
};

describe('applyRecords', () => {
  const tombstonesAfter = (version: number) => {
    const record = { ...IDS, kind: 'delete', fresh: false, value: Buffer.alloc(0) } as const;
    const source = {
      key: IDS.eventId,
      value: record.value,
      headers: {},
      partition: 0,
      offset: version,
      appendedAt: 0,
    };
    const group: RecordGroup = [{ key: KEY, record, version, source }];
    const states = new Map([[KEY, { incomplete: [HALF] }]]);
    const applied = runSync(applyRecords({ records: [record], created: [], toMerge: [group], states }));
    return applied.merged.flatMap(({ tombstones }) => tombstones);
  };

  it('removes a row without a payload when its event is deleted', () => {
    expect(tombstonesAfter(6)).toStrictEqual([HALF]);
  });

  it('keeps a row without a payload for the later record that wrote it', () => {
    expect(tombstonesAfter(4)).toStrictEqual([]);
  });

  it('can be interrupted between the records of one event, before a later one is decoded', () => {
    const patches = [1, 2, 3].map((version) => patchRecord(version, '{"metadata":{"n":1}}'));
    const [first, ...rest] = [...patches, patchRecord(4, 'no JSON')];
    const task = applyRecords({
      records: [],
      created: [],
      toMerge: [[first, ...rest]],
      states: new Map(),
    });
    for (const _ of patches) expect(task.next().done).toBe(false);
    expect(() => runSync(task)).toThrow(SyntaxError);
  });
});

function patchRecord(version: number, json: string): RecordGroup[0] {
  const value = Buffer.from(json);
  const record = { ...IDS, kind: 'patch', fresh: false, value } as const;
  const source = { key: IDS.eventId, value, headers: {}, partition: 0, offset: version, appendedAt: 0 };
  return { key: KEY, record, version, source };
}
