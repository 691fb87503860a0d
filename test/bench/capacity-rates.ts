/** What one service or engine takes: `fixedCores` at any rate, and `perEvent` microseconds of CPU. */
export interface Cost {
  readonly name: string;
  readonly perEvent: number;
  readonly fixedCores: number;
}

export interface CapacityFigures {
  readonly spanBytes: number;
  /** Microseconds of CPU per event of bare `node:http` that inflates and decodes the same bodies. */
  readonly floor: number;
  /** Bytes on disk per event: of one replica of the log, and of the event store. */
  readonly bytes: { readonly log: number; readonly store: number };
  readonly costs: readonly Cost[];
}

const RATES = [100, 1_000, 10_000];
const SECONDS_PER_DAY = 86_400;
/** The default of a new topic, whose number can only be multiplied later. */
const MIN_PARTITIONS = 12;
/** Of a consumer on one partition: half of a core, so that it catches up after an outage and takes peaks. */
const CORES_PER_PARTITION = 0.5;
/** Of each a partition is read by one process. */
const CONSUMERS = ['readers', 'evaluator'];

/** Names of the columns of {@link rowsOf}. */
export const CAPACITY_COLUMNS = [
  'KB',
  'what',
  'unit',
  'per event',
  '× bare Node',
  ...RATES.map((rate) => `${rate.toLocaleString('en')}/s`),
];

/** Rows of the table for one size of events. */
export function rowsOf({ spanBytes, floor, bytes, costs }: CapacityFigures): string[][] {
  const sum = (key: 'perEvent' | 'fixedCores') => costs.reduce((total, cost) => total + cost[key], 0);
  const all: Cost = { name: 'all', perEvent: sum('perEvent'), fixedCores: sum('fixedCores') };
  const cores = (cost: Cost) => RATES.map((rate) => cost.fixedCores + (cost.perEvent * rate) / 1e6);
  const rows = [{ name: 'bare Node', perEvent: floor, fixedCores: 0 }, ...costs, all].map((cost) => [
    ...[cost.name, 'cores', `${cost.perEvent.toFixed(1)} µs`, (cost.perEvent / floor).toFixed(1)],
    ...cores(cost).map((one) => one.toFixed(2)),
  ]);
  const coresOf = (consumer: string, index: number) =>
    costs
      .filter(({ name }) => name.startsWith(consumer))
      .reduce((total, cost) => total + cores(cost)[index]!, 0);
  const disk = [
    ['log, each replica', bytes.log],
    ['event store, each replica', bytes.store],
  ] as const;
  const onDisk = disk.map(([name, perEvent]) => [
    ...[name, 'GB per day', `${Math.round(perEvent)} bytes`, ''],
    ...RATES.map((rate) => ((perEvent * rate * SECONDS_PER_DAY) / 1e9).toFixed(1)),
  ]);
  const partitions = RATES.map((_, index) =>
    partitionsFor(Math.max(...CONSUMERS.map((consumer) => coresOf(consumer, index)))),
  );
  return [...rows, ...onDisk, ['partitions', '', '', '', ...partitions.map(String)]].map((row) => [
    String(spanBytes / 1_000),
    ...row,
  ]);
}

/** The default, or the next multiple of it. */
function partitionsFor(cores: number): number {
  return MIN_PARTITIONS * Math.max(1, Math.ceil(cores / CORES_PER_PARTITION / MIN_PARTITIONS));
}
