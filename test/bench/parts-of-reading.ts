import { measureGrowth } from './growth.js';
import { measureLargeDataset } from './large-dataset.js';
import { measureResources, type ResourceFigures } from './resources.js';
import { measurePassing } from './passing.js';
import type { Part } from './part.js';
import { SEARCH_EVENTS, measureSearch, type SearchFigures } from './search.js';

export const search = (title: string, measure: () => AsyncGenerator<SearchFigures>): Part => ({
  title: `${title} among ${SEARCH_EVENTS.toLocaleString('en')} events`,
  columns: [
    'query',
    'p50 ms',
    'p99 ms',
    'ms of CPU',
    'SQL p50 ms',
    'SQL p99 ms',
    'SQL ms of CPU',
    '× SQL p50',
    '× SQL CPU',
    'floor p50 ms',
    'floor ms of CPU',
    '× floor p50',
    '× floor CPU',
    'target at 1 M: p99 ms, × SQL p50',
    'MB resident',
  ],
  async *rows() {
    for await (const { name, http, sql, floor, target, residentMegabytes } of measure()) {
      const costs = [http.p50, http.p99, http.cpu, sql.p50, sql.p99, sql.cpu].map((ms) => ms.toFixed(1));
      const ratios = [http.p50 / sql.p50, http.cpu / sql.cpu].map((ratio) => ratio.toFixed(2));
      const targets = [target.p99, ...(target.timesSql === undefined ? [] : [target.timesSql])].join(', ');
      const floors = [
        ...[floor.p50, floor.cpu].map((ms) => ms.toFixed(1)),
        ...[http.p50 / floor.p50, http.cpu / floor.cpu].map((ratio) => ratio.toFixed(2)),
      ];
      yield [name, ...costs, ...ratios, ...floors, targets, Math.round(residentMegabytes)];
    }
  },
});

export const SEARCH = search('search:', measureSearch);

export const resources = (title: string, measure: () => AsyncGenerator<ResourceFigures>): Part => ({
  title,
  columns: ['kind', 'operation', 'p50 ms', 'p99 ms', 'p50 ms of eight', 'p99 ms of eight', 'ms of CPU'],
  async *rows() {
    for await (const { kind, operation, alone, eight, cpu } of measure())
      yield [
        kind,
        operation,
        ...[alone.p50, alone.p99, eight.p50, eight.p99, cpu].map((ms) => ms.toFixed(1)),
      ];
  },
});

export const RESOURCES = resources('resources: 10,000 documents of each kind', measureResources);

export const LARGE_DATASET: Part = {
  title: 'datasets: 1,000 and 100,000 datapoints',
  columns: ['operation', 'datapoints', 'p50 ms', 'p99 ms', 'ms of CPU', 'MB grown'],
  async *rows() {
    for await (const { operation, size, latency, cpu, grown } of measureLargeDataset())
      yield [
        operation,
        size,
        ...[latency.p50, latency.p99, cpu].map((ms) => ms.toFixed(1)),
        Math.round(grown),
      ];
  },
};

export const PASSING: Part = {
  title: 'passing: direct to the control plane and through the data plane',
  columns: ['operation', 'direct p50 ms', 'through p50 ms', 'adds', 'direct p99 ms', 'through p99 ms'],
  async *rows() {
    for await (const { operation, direct, through } of measurePassing()) {
      const figures = [direct.p50, through.p50, through.p50 - direct.p50, direct.p99, through.p99];
      yield [operation, ...figures.map((ms) => ms.toFixed(2))];
    }
  },
};

/** Sizes of a project by default; `ASSAY_BENCH_GROWN` has others, with commas between them. */
const SIZES = '250000,1000000,5000000';

export const GROWTH: Part = {
  title: 'growth: ms of CPU of a look-up by ids among synthetic events',
  columns: [
    ...['events', 'one event', 'states of 10', 'states of 1,000', '1,000 new ids', 'one session'],
    'summaries of 1,000 sessions',
  ],
  async *rows() {
    const sizes = (process.env['ASSAY_BENCH_GROWN'] ?? SIZES).split(',').map(Number);
    for await (const { rows, ...times } of measureGrowth(sizes))
      yield [rows, ...Object.values(times).map((ms) => ms.toFixed(1))];
  },
};
