import { datasetOfRun, mergeRun, newRun, updateRun } from './run.js';

describe('a run', () => {
  it('starts pending and empty, with its name trimmed', () => {
    expect(newRun({ name: '  a  ' })).toEqual({
      name: 'a',
      description: null,
      status: 'pending',
      metadata: {},
      results: {},
      configuration: {},
      event_ids: [],
      dataset_id: null,
    });
  });

  it('is rejected with a blank name when it is created or updated', () => {
    for (const name of ['', ' ', '\t\n']) {
      expect(() => newRun({ name })).toThrow('name must not be blank');
      expect(() => updateRun(newRun({}), { name })).toThrow('name must not be blank');
    }
  });

  it('keeps a dataset of the client in the metadata, and returns its id', () => {
    const run = newRun({ dataset_id: 'EXT-abc', metadata: { a: 1 } });
    expect(run).toMatchObject({ dataset_id: null, metadata: { a: 1, offline_dataset_id: 'EXT-abc' } });
    expect(datasetOfRun(run)).toBe('EXT-abc');
    expect(datasetOfRun(newRun({ dataset_id: 'abc' }))).toBe('abc');
    expect(datasetOfRun(newRun({ metadata: { offline_dataset_id: 'EXT-x' } }))).toBe('EXT-x');
    expect(datasetOfRun(newRun({ metadata: { offline_dataset_id: 5 } }))).toBeNull();
  });

  it('merges objects and replaces the rest when it is updated', () => {
    const run = newRun({ name: 'a', metadata: { a: 1, b: { c: 2 } }, event_ids: ['s1'], dataset_id: 'd' });
    const update = {
      metadata: { b: { d: 3 } },
      results: { r: 1 },
      event_ids: ['s2'],
      status: 'completed' as const,
      name: null,
      dataset_id: 'other',
    };
    expect(updateRun(run, update)).toMatchObject({
      name: 'a',
      metadata: { a: 1, b: { d: 3 } },
      results: { r: 1 },
      event_ids: ['s2'],
      status: 'completed',
      dataset_id: 'd',
    });
  });

  it('that is created again keeps its data', () => {
    const run = newRun({
      name: 'a',
      status: 'running',
      metadata: { a: 1 },
      event_ids: ['s1'],
      dataset_id: 'd',
    });
    expect(mergeRun(run, { metadata: { b: 2 }, event_ids: ['s2', 's1'] })).toMatchObject({
      name: 'a',
      status: 'running',
      metadata: { a: 1, b: 2 },
      event_ids: ['s1', 's2'],
      dataset_id: 'd',
    });
  });

  it('merges the fields of older clients into the metadata', () => {
    expect(
      newRun({ evaluators: ['e'], session_ids: ['s'], datapoint_ids: ['d'], passing_ranges: { a: [0, 1] } })
        .metadata,
    ).toEqual({
      evaluators: ['e'],
      session_ids: ['s'],
      datapoint_ids: ['d'],
      passing_ranges: { a: [0, 1] },
    });
  });
});
