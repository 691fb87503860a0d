import { epochOf, offsets } from '../../test/log-epochs.js';
import { decideEpoch, type EpochRules } from './decide-epoch.js';

const KAFKA: EpochRules = { isExclusive: false };
const SINGLE: EpochRules = { isExclusive: true };
const TOPIC = 'cluster/events/1';

describe('the epoch of a log', () => {
  it('is 0 in an empty store, or the one that is set', () => {
    const entry = epochOf(0, TOPIC, [0, 0], [0, 0]);
    expect(decide([], TOPIC, [7, 0])).toEqual({ kind: 'raise', entry });
    expect(decide([], TOPIC, [7, 0], { ...KAFKA, pinned: 3 })).toMatchObject({ entry: { epoch: 3 } });
  });

  it('is kept for the recorded log when nothing is missing at its end', () => {
    const entry = epochOf(2, TOPIC, [0, 7], [5, 9]);
    const recorded = [epochOf(0, 'cluster/events/0', [0, 90], [0, 90]), entry];
    for (const rules of [KAFKA, SINGLE, { ...KAFKA, pinned: 2 }])
      expect(decide(recorded, TOPIC, [7, 10], rules)).toEqual({ kind: 'keep', entry });
  });

  it('is the next one for a log that was recreated, whose records are all new', () => {
    const recorded = [epochOf(1, TOPIC, [0, 100], [0, 50])];
    const cause = 'the event log was recreated';
    expect(decide(recorded, 'cluster/events/2', [3, 200])).toEqual({
      kind: 'raise',
      cause,
      entry: epochOf(2, 'cluster/events/2', [0, 0], [0, 0]),
    });
    expect(decide([epochOf(0, 'a', [0, 100])], 'b', [0], SINGLE)).toEqual({
      kind: 'raise',
      cause,
      entry: epochOf(1, 'b', [0, 0]),
    });
  });

  it('is refused for a log at another location unless an operator has raised it', () => {
    const recorded = [epochOf(1, TOPIC, [0, 100])];
    expect(decide(recorded, 'cluster/staging-events/1', [100])).toEqual({
      kind: 'refuse',
      message:
        'the event store belongs to another event log than the configured one; correct the settings, or to continue with this log set KAFKA_EPOCH to 2',
    });
    expect(decide(recorded, 'other/events/1', [100], { ...KAFKA, pinned: 2 })).toMatchObject({
      kind: 'raise',
      entry: epochOf(2, 'other/events/1', [0, 0]),
    });
  });

  it('is refused on Kafka when the topic ends too early, and all its records are new once an operator has raised it', () => {
    const recorded = [epochOf(1, TOPIC, [0, 100], [0, 0])];
    expect(decide(recorded, TOPIC, [99, 5])).toEqual({
      kind: 'refuse',
      mayPass: true,
      message:
        'the event log ends before the position up to which it was stored; to apply all records of the log again set KAFKA_EPOCH to 2',
    });
    expect(decide(recorded, TOPIC, [99, 5], { ...KAFKA, pinned: 2 })).toMatchObject({
      kind: 'raise',
      entry: epochOf(2, TOPIC, [0, 0], [0, 0]),
    });
  });

  it('is the next one from the end on when the single process has an older log, whose records are all stored', () => {
    expect(decide([epochOf(1, 'a', [0, 100])], 'a', [60], SINGLE)).toMatchObject({
      kind: 'raise',
      entry: epochOf(2, 'a', [60, 60]),
    });
    const replaced = [epochOf(0, 'a', [0, 80]), epochOf(1, 'b', [0, 100])];
    expect(decide(replaced, 'a', [90], SINGLE)).toMatchObject({
      kind: 'raise',
      entry: epochOf(2, 'a', [90, 80]),
    });
  });

  it('is the next one from the end on when the number of partitions is a multiple of the earlier one', () => {
    const recorded = [epochOf(0, TOPIC, [0, 8], [0, 9])];
    expect(decide(recorded, TOPIC, [10, 9, 0, 4])).toEqual({
      kind: 'raise',
      cause: 'the number of partitions of the event log was changed from 2 to 4',
      entry: epochOf(1, TOPIC, [10, 8], [9, 9], [0, 0], [0, 0]),
    });
  });

  it('is refused for another number of partitions unless an operator has raised it', () => {
    const recorded = [epochOf(0, TOPIC, [0, 8], [0, 9])];
    expect(decide(recorded, TOPIC, [8, 9, 0])).toMatchObject({
      kind: 'refuse',
      message: expect.stringMatching(/from 2 to 3; stop ingestion .* set KAFKA_EPOCH to 1$/) as string,
    });
    expect(decide(recorded, TOPIC, [8, 9, 0], { ...KAFKA, pinned: 1 })).toMatchObject({
      entry: epochOf(1, TOPIC, [8, 8], [9, 9], [0, 0]),
    });
  });

  it('is refused when the one that is set is too low', () => {
    const recorded = [epochOf(4, TOPIC, [0, 8])];
    expect(decide(recorded, TOPIC, [8], { ...KAFKA, pinned: 3 })).toMatchObject({
      kind: 'refuse',
      message: expect.stringContaining('lower than 4') as string,
    });
    expect(decide(recorded, 'cluster/events/2', [8], { ...KAFKA, pinned: 4 })).toMatchObject({
      kind: 'refuse',
      message: 'the event log was recreated; remove KAFKA_EPOCH or set it to 5',
    });
  });

  it('is the next one for each of two logs that were recorded with the same one', () => {
    const recorded = [epochOf(3, TOPIC, [0, 8]), epochOf(3, 'cluster/events/2', [0, 5])];
    for (const { log } of recorded)
      expect(decide(recorded, log, [9])).toMatchObject({ kind: 'raise', entry: epochOf(4, log, [0, 0]) });
  });

  it('is refused when all epochs are used', () => {
    expect(decide([epochOf(511, 'a', [0, 8])], 'b', [0], SINGLE)).toMatchObject({
      kind: 'refuse',
      message: 'the event store has used all of its 512 epochs',
    });
  });
});

function decide(
  recorded: Parameters<typeof decideEpoch>[0],
  identity: string,
  ends: number[],
  rules: EpochRules = KAFKA,
) {
  return decideEpoch(recorded, { identity, end: offsets(...ends) }, rules);
}
