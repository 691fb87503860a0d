import { readEventIds } from './event-ids.js';
import { layOutTree, type TreeColumns } from './lay-out-tree.js';
import { minimapBuckets } from './minimap-buckets.js';
import { criticalPath, isKeyStep, slowestEvents } from './select-steps.js';
import { nearestRow, visibleRows } from './visible-rows.js';
import { waterfallBar } from './waterfall-bar.js';

/** Event as `[parent, start, duration]`. */
type Given = readonly [parent: number, start: number, duration: number | null];

const columnsOf = (events: readonly Given[], outside: Record<string, string> = {}): TreeColumns => ({
  parent: events.map(([parent]) => parent),
  start: events.map(([, start]) => start),
  duration: events.map(([, , duration]) => duration),
  outside_parents: outside,
});
const AGENT: readonly Given[] = [
  [-1, 0, 100],
  [0, 0, 20],
  [1, 5, 10],
  [0, 30, 60],
  [3, 35, 20],
  [3, 40, 45],
];

describe('layout of a session tree', () => {
  it('orders each event before its children, and siblings by start', () => {
    const layout = layOutTree(
      columnsOf([
        [-1, 0, 9],
        [0, 1, 1],
        [0, 2, 1],
        [1, 3, 1],
        [-1, 4, 1],
      ]),
    );
    expect(Array.from(layout.order)).toEqual([0, 1, 3, 2, 4]);
    expect(Array.from(layout.depth)).toEqual([0, 1, 1, 2, 0]);
    expect(Array.from(layout.size)).toEqual([4, 2, 1, 1, 1]);
  });

  it('puts events whose parent is missing at the top and says so', () => {
    const layout = layOutTree(
      columnsOf(
        [
          [-1, 0, 1],
          [-1, 1, 1],
        ],
        { '1': '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e' },
      ),
    );
    expect(layout.topReasons).toEqual(new Map([[1, 'outside']]));
    expect(Array.from(layout.depth)).toEqual([0, 0]);
  });

  it('cuts cycles at their first event and shows every event once', () => {
    const layout = layOutTree(
      columnsOf([
        [2, 0, 1],
        [0, 1, 1],
        [1, 2, 1],
        [3, 3, 1],
        [2, 4, 1],
      ]),
    );
    expect(Array.from(layout.order)).toEqual([0, 1, 2, 4, 3]);
    expect(layout.topReasons).toEqual(
      new Map([
        [3, 'cycle'],
        [0, 'cycle'],
      ]),
    );
  });

  it('lays out a chain of 20,000 events and a parent behind its child', () => {
    const chain = layOutTree(columnsOf(Array.from({ length: 20_000 }, (_, row): Given => [row - 1, row, 1])));
    expect(chain.depth[19_999]).toBe(19_999);
    const reversed = layOutTree(
      columnsOf([
        [1, 0, 1],
        [-1, 5, 1],
      ]),
    );
    expect(Array.from(reversed.order)).toEqual([1, 0]);
  });

  it('shows every event of random parents exactly once', () => {
    const seed = 7;
    let state = seed;
    const below = (limit: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    for (let round = 0; round < 300; round++) {
      const count = below(40);
      const events = Array.from({ length: count }, (): Given => [
        below(count + 2) - 1,
        below(9),
        below(9) - 3,
      ]);
      const { order, size } = layOutTree(columnsOf(events));
      const sorted = Array.from(order).sort((a, b) => a - b);
      if (sorted.some((event, at) => event !== at) || sorted.length !== count)
        throw new Error(`seed ${String(seed)}, round ${String(round)}: ${JSON.stringify(events)}`);
      expect(size.every((one) => one >= 1)).toBe(true);
    }
  });

  it('lays out no events', () => {
    expect(layOutTree(columnsOf([]))).toMatchObject({ from: 0, to: 0 });
  });
});

describe('visible rows of a tree', () => {
  const layout = layOutTree(columnsOf(AGENT));

  it('leaves out closed subtrees', () => {
    expect(Array.from(visibleRows(layout, new Set([1])).events)).toEqual([0, 1, 3, 4, 5]);
    expect(Array.from(visibleRows(layout, new Set([0])).events)).toEqual([0]);
  });

  it('counts what a selection hides and indents by shown ancestors', () => {
    const rows = visibleRows(layout, new Set(), (event) => event === 0 || event > 3);
    expect(Array.from(rows.events)).toEqual([0, 4, 5]);
    expect(Array.from(rows.depths)).toEqual([0, 1, 1]);
    expect(rows.hidden).toBe(3);
  });

  it('finds the row for an event that is hidden', () => {
    const rows = visibleRows(layout, new Set([1]), (event) => event !== 3);
    expect(nearestRow(rows, layout, 2)).toBe(1);
    expect(nearestRow(rows, layout, 3)).toBe(0);
    const errors = visibleRows(layout, new Set(), (event) => event === 1 || event === 5);
    expect(nearestRow(errors, layout, 0)).toBe(0);
    expect(nearestRow(errors, layout, 4)).toBe(0);
    expect(
      nearestRow(
        visibleRows(layout, new Set(), () => false),
        layout,
        4,
      ),
    ).toBe(-1);
  });
});

describe('selections of events', () => {
  it('follows what ended last, and what had to end before it started', () => {
    const columns = columnsOf(AGENT);
    expect([...criticalPath(columns, layOutTree(columns))].sort()).toEqual([0, 1, 2, 3, 5]);
  });

  it('clips children that end after their parent, and ignores those that start after it', () => {
    const columns = columnsOf([
      [-1, 0, 10],
      [0, 5, 50],
      [0, 20, 5],
      [0, 0, 4],
    ]);
    expect([...criticalPath(columns, layOutTree(columns))].sort()).toEqual([0, 1, 3]);
  });

  it('finds the slowest twentieth, and at least one event', () => {
    const columns = columnsOf(Array.from({ length: 100 }, (_, row): Given => [-1, 0, row]));
    expect([...slowestEvents(columns, () => true)]).toEqual([95, 96, 97, 98, 99]);
    expect([
      ...slowestEvents(
        columnsOf([
          [-1, 0, 3],
          [-1, 0, null],
          [-1, 0, -4],
        ]),
        () => true,
      ),
    ]).toEqual([0]);
    expect(slowestEvents(columnsOf([]), () => true).size).toBe(0);
  });

  it('takes models, tools, agents, retrievers and errors for key steps, not wrappers', () => {
    const columns = {
      ...columnsOf([
        [-1, 0, 1],
        [-1, 0, 1],
        [-1, 0, 1],
        [-1, 0, 1],
      ]),
      types: ['chain', 'model'],
      type: [0, 1, 0, 0],
      kinds: ['', 'AGENT'],
      kind: [0, 0, 1, 0],
      errors: { '3': 'timeout' },
    };
    expect([0, 1, 2, 3].filter((event) => isKeyStep(columns, event))).toEqual([1, 2, 3]);
  });
});

describe('times of a tree', () => {
  it('draws running, negative and shifted events and says so', () => {
    const columns = columnsOf([
      [-1, 0, 100],
      [0, 50, null],
      [0, 10, -5],
      [0, -40, 20],
    ]);
    const layout = layOutTree(columns);
    const window = { from: 0, to: 100 };
    expect(waterfallBar(columns, layout, 1, window)).toEqual({ left: 0.5, width: 0.5, note: 'running' });
    expect(waterfallBar(columns, layout, 2, window)).toEqual({
      left: 0.1,
      width: 0,
      note: 'negative duration',
    });
    expect(waterfallBar(columns, layout, 3, window)).toMatchObject({ left: 0, note: 'outside its parent' });
    expect(layout).toMatchObject({ from: -40, to: 100 });
  });

  it('counts running events and marks errors in the minimap', () => {
    const columns = columnsOf([
      [-1, 0, 100],
      [0, 0, 49],
      [0, 0, 100],
    ]);
    const buckets = minimapBuckets(columns, layOutTree(columns), {
      count: 4,
      isError: (event) => event === 1,
    });
    expect(Array.from(buckets.running)).toEqual([2, 2, 1, 1]);
    expect(Array.from(buckets.hasError)).toEqual([1, 1, 0, 0]);
    expect(buckets.most).toBe(2);
  });

  it('reads ids from one base64 text', () => {
    const id = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
    expect(readEventIds(Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64'))).toEqual([id]);
    expect(readEventIds('')).toEqual([]);
  });
});
