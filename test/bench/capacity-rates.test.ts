import { CAPACITY_COLUMNS, rowsOf, type CapacityFigures } from './capacity-rates.js';

const FIGURES: CapacityFigures = {
  spanBytes: 2_000,
  floor: 10,
  bytes: { log: 1_000, store: 500 },
  costs: [
    { name: 'ingestion', perEvent: 200, fixedCores: 0.1 },
    { name: 'readers, storing', perEvent: 300, fixedCores: 0 },
    { name: 'readers and control plane, forwarding', perEvent: 400, fixedCores: 0 },
  ],
};

describe('the rows of a capacity', () => {
  const rows = new Map(rowsOf(FIGURES).map(([, what, ...cells]) => [what, cells]));

  it('have a cell for each column', () => {
    expect(rowsOf(FIGURES).map((row) => row.length)).toEqual(
      Array<number>(rows.size).fill(CAPACITY_COLUMNS.length),
    );
  });

  it('add what a service takes at any rate to what it takes for each event', () => {
    expect(rows.get('ingestion')).toEqual(['cores', '200.0 µs', '20.0', '0.12', '0.30', '2.10']);
    expect(rows.get('all')?.slice(3)).toEqual(['0.19', '1.00', '9.10']);
  });

  it('state the disk of a day', () => {
    expect(rows.get('log, each replica')?.slice(3)).toEqual(['8.6', '86.4', '864.0']);
  });

  it('have as many partitions as half cores of the readers, in multiples of the default', () => {
    expect(rows.get('partitions')?.slice(3)).toEqual(['12', '12', '24']);
  });
});
