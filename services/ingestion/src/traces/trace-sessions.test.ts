import { TraceSessions } from './trace-sessions.js';

describe('TraceSessions', () => {
  it('returns the session that a trace named first, per project', () => {
    const traces = new TraceSessions(10);
    traces.addNamed('p', 't', 's1');
    traces.addNamed('p', 't', 's2');
    expect([traces.get('p', 't'), traces.get('q', 't')]).toEqual(['s1', undefined]);
  });

  it('reports a pending move for spans that arrived before the session was named, until the move is appended', () => {
    const traces = new TraceSessions(10);
    traces.addUnassigned('p', 't');
    expect(traces.pendingMoveTarget('p', 't')).toBeUndefined();
    traces.addNamed('p', 't', 's1');
    expect(traces.pendingMoveTarget('p', 't')).toBe('s1');
    traces.completeMove('p', 't');
    expect([traces.pendingMoveTarget('p', 't'), traces.get('p', 't')]).toEqual([undefined, 's1']);
  });

  it('reports no pending move for a trace that named its session from the start', () => {
    const traces = new TraceSessions(10);
    traces.addNamed('p', 't', 's1');
    expect(traces.pendingMoveTarget('p', 't')).toBeUndefined();
  });

  it('evicts the least recently used trace beyond its capacity', () => {
    const traces = new TraceSessions(2);
    for (const trace of ['t1', 't2', 't3']) traces.addNamed('p', trace, 's');
    expect(['t1', 't2', 't3'].map((trace) => traces.get('p', trace))).toEqual([undefined, 's', 's']);
  });
});
