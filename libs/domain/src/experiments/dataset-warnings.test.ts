import { datasetWarnings, type DatasetOfRun } from './dataset-warnings.js';

describe('warnings about the dataset of two runs', () => {
  const run = (dataset_version: number | null, more: Partial<DatasetOfRun> = {}): DatasetOfRun => ({
    ...{ dataset_id: 'd', dataset_name: 'golden', dataset_version },
    ...more,
  });

  it('name both versions when the dataset has changed between the runs', () => {
    expect(datasetWarnings(run(3), run(5))).toEqual([
      'the dataset has changed between the runs: it had version 3 when the old run was created, and version 5 when the new run was',
    ]);
    expect(datasetWarnings(run(0), run(1))).toHaveLength(1);
    expect(datasetWarnings(run(5), run(3))).toHaveLength(1);
  });

  it('say that runs have different datasets', () => {
    expect(datasetWarnings(run(3), run(3, { dataset_id: 'other' }))).toEqual([
      'the runs have different datasets: only the datapoints that both have are compared',
    ]);
    const own = { dataset_name: null, dataset_version: null };
    expect(
      datasetWarnings(run(null, { ...own, dataset_id: 'EXT-1' }), run(null, { ...own, dataset_id: 'EXT-2' })),
    ).toHaveLength(1);
  });

  it('say that a dataset was deleted before the new run', () => {
    const deleted = { dataset_name: null };
    expect(datasetWarnings(run(3, deleted), run(null, deleted))).toEqual([
      'the dataset was deleted, so that it is not known whether both runs used the same datapoints',
    ]);
  });

  it.each([
    ['the same version', run(3), run(3)],
    [
      'the same version of a dataset that was deleted later',
      run(3, { dataset_name: null }),
      run(3, { dataset_name: null }),
    ],
    ['runs from before versions were recorded', run(null), run(null)],
    ['an old run from before versions were recorded', run(null), run(3)],
    ['a run without a dataset', run(3), run(null, { dataset_id: null })],
    [
      'a dataset of the client',
      run(null, { dataset_id: 'EXT-1', dataset_name: null }),
      run(null, { dataset_id: 'EXT-1', dataset_name: null }),
    ],
    ['runs of an older control plane', { dataset_id: 'd' }, { dataset_id: 'd' }],
  ])('are empty for %s', (_, oldRun, newRun) => {
    expect(datasetWarnings(oldRun, newRun)).toEqual([]);
  });
});
