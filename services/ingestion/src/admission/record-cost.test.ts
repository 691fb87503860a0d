import { encodeRecord, type RecordKind } from '@assay/contracts';
import { RecordCosts } from './record-cost.js';

const MB = 1_000_000;
const record = (kind: RecordKind, eventId: string, bytes: number) =>
  encodeRecord({ kind, projectId: 'p1', eventId, fresh: false, value: Buffer.alloc(bytes) });

describe('the cost of a record', () => {
  it('is about its size when it creates an event', () => {
    const cost = new RecordCosts().costOf([record('event', 'e1', 9 * MB), record('event', 'e2', 100)]);
    expect(cost).toBeGreaterThan(9 * MB);
    expect(cost).toBeLessThan(9.1 * MB);
  });

  it('includes the size of the large event that an update changes', () => {
    const costs = new RecordCosts();
    const small = costs.costOf([record('patch', 'e1', 100)]);
    costs.costOf([record('event', 'e1', 9 * MB)]);
    expect(costs.costOf([record('patch', 'e1', 100)])).toBeGreaterThan(9 * MB);
    expect(costs.costOf([record('patch', 'e2', 100)])).toBe(small);
  });

  it('does not grow beyond the maximum size of an event', () => {
    const costs = new RecordCosts();
    for (let update = 0; update < 20; update++) costs.costOf([record('patch', 'e1', 9 * MB)]);
    expect(costs.costOf([record('patch', 'e1', 0)])).toBeLessThan(140 * MB);
  });
});
