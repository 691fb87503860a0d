import { measureCapacity } from './capacity.js';
import { CAPACITY_COLUMNS, rowsOf } from './capacity-rates.js';
import { measureBusyEvaluations } from './evaluators.js';
import { measureNeighbour } from './neighbour.js';
import { measureOverload } from './overload.js';
import type { Part } from './part.js';
import { measurePython } from './python.js';
import { measureStart } from './start.js';
import { measureTargets } from './targets.js';
import { measureTemplates } from './templates.js';

export const NEIGHBOUR: Part = {
  title: 'neighbour: a quiet project beside the worst searches, lists and updates of another',
  columns: ['case', 'visible p50 ms', 'visible max ms', 'look-up p50 ms', 'look-up p99 ms'],
  async *rows() {
    for await (const { name, visibleP50, visibleMax, lookUpP50, lookUpP99 } of measureNeighbour())
      yield [name, visibleP50.toFixed(0), visibleMax.toFixed(0), lookUpP50.toFixed(1), lookUpP99.toFixed(1)];
  },
};

export const OVERLOAD: Part = {
  title: 'overload: a quiet project beside loads beyond the capacity',
  columns: ['case', 'p50 ms', '× alone', 'p99 ms', '× alone', 'CPU wait ×', 'lag p99 ms', 'MB resident'],
  async *rows() {
    for await (const { name, p50, p99, ratio, slowdown, lagP99Ms, residentMegabytes } of measureOverload())
      yield [
        name,
        p50.toFixed(1),
        ratio.p50.toFixed(1),
        p99.toFixed(1),
        ratio.p99.toFixed(1),
        slowdown.toFixed(2),
        lagP99Ms.toFixed(0),
        Math.round(residentMegabytes),
      ];
  },
};

export const PYTHON: Part = {
  title: 'python: evaluations of PYTHON metrics',
  columns: ['case', 'evaluations', 'per second', 'p50 ms', 'p99 ms', 'ms of CPU', 'MB at start', 'MB at end'],
  async *rows() {
    for await (const { name, evaluations, perSecond, latency, cpuMs, residentMegabytes } of measurePython())
      yield [
        name,
        evaluations,
        Math.round(perSecond),
        ...[latency.p50, latency.p99, cpuMs].map((ms) => ms.toFixed(1)),
        ...[residentMegabytes.start, residentMegabytes.end].map((megabytes) => Math.round(megabytes)),
      ];
  },
};

export const EVALUATORS: Part = {
  title: 'evaluators: PYTHON metrics of one line within 100 ms, on a machine that is busy',
  columns: ['case', 'evaluations', 'scored', 'timeout', 'machine_busy', 'p50 ms', 'p99 ms', 'longest ms'],
  async *rows() {
    for await (const { name, evaluations, scored, timeouts, machineBusy, ...ms } of measureBusyEvaluations())
      yield [
        ...[name, evaluations, scored, timeouts, machineBusy],
        ...[ms.p50Ms, ms.p99Ms, ms.maxMs].map((one) => one.toFixed(1)),
      ];
  },
};

export const TEMPLATES: Part = {
  title:
    'templates: ms of CPU per rendered prompt; medians of ms in this thread, through a worker, and 16 at a time',
  columns: ['case', 'KB', 'renderings', 'ms of CPU', 'here', 'worker', 'worker, 16'],
  async *rows() {
    for await (const { name, kilobytes, renderings, ...times } of measureTemplates()) {
      const { cpuMs, hereMs, workerMs, batchMs } = times;
      const figures = [cpuMs, hereMs, workerMs, batchMs].map((ms) => ms.toFixed(3));
      yield [name, Math.round(kilobytes), renderings, ...figures];
    }
  },
};

export const START: Part = {
  title: 'start: npm start on a fresh clone with empty caches, then once more',
  columns: ['case', 'steps, s', 's', 'MB of packages', 'MB of sources and compiled code'],
  async *rows() {
    for await (const { name, steps, seconds, packagesMegabytes, compiledMegabytes } of measureStart())
      yield [name, steps, seconds.toFixed(1), Math.round(packagesMegabytes), Math.round(compiledMegabytes)];
  },
};

export const TARGETS: Part = {
  title: 'targets',
  columns: ['path', 'unit', 'measured', 'target', '× target', '× bare Node'],
  async *rows() {
    for await (const { path, unit, measured, target, timesNode } of measureTargets()) {
      const ratios = [target ? (measured / target).toFixed(2) : '', timesNode?.toFixed(1) ?? ''];
      yield [path, unit, measured.toFixed(1), target ?? '', ...ratios];
    }
  },
};

export const CAPACITY: Part = {
  title: 'capacity: cores, GB and partitions by rate of events, separate services',
  columns: CAPACITY_COLUMNS,
  async *rows() {
    for await (const figures of measureCapacity()) yield* rowsOf(figures);
  },
};
