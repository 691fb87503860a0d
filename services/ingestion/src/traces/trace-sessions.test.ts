import { TraceSessions } from './trace-sessions.js';

describe('the sessions of traces', () => {
  it('are those that were named first', () => {
    const traces = new TraceSessions(10);
    traces.named('p', 't', 's1');
    traces.named('p', 't', 's2');
    expect([traces.get('p', 't'), traces.get('q', 't')]).toEqual(['s1', undefined]);
  });

  it('take in what came before they were named, until the move of it is on the log', () => {
    const traces = new TraceSessions(10);
    traces.strayed('p', 't');
    expect(traces.homeOfStrayed('p', 't')).toBeUndefined();
    traces.named('p', 't', 's1');
    expect(traces.homeOfStrayed('p', 't')).toBe('s1');
    traces.moved('p', 't');
    expect([traces.homeOfStrayed('p', 't'), traces.get('p', 't')]).toEqual([undefined, 's1']);
  });

  it('have nothing to take in when they were named from the first', () => {
    const traces = new TraceSessions(10);
    traces.named('p', 't', 's1');
    expect(traces.homeOfStrayed('p', 't')).toBeUndefined();
  });

  it('are forgotten, the oldest first, when there are too many', () => {
    const traces = new TraceSessions(2);
    for (const trace of ['t1', 't2', 't3']) traces.named('p', trace, 's');
    expect(['t1', 't2', 't3'].map((trace) => traces.get('p', trace))).toEqual([undefined, 's', 's']);
  });
});
