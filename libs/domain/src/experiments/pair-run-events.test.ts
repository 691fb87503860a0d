import { aSession, anEvent, sessionsOf } from '../../test/experiments/run-fixture.js';
import { pairRunEvents } from './pair-run-events.js';

describe('pairRunEvents', () => {
  const onD = { datapointId: 'd' };

  it('pairs events by name, the first with the first, and leaves out what has no counterpart', () => {
    const old = sessionsOf([
      anEvent('s', {}, { ...onD, eventId: 'o1', startTime: 1 }),
      anEvent('s', {}, { ...onD, eventId: 'o2', startTime: 2 }),
      anEvent('s', {}, { ...onD, eventId: 'o3', eventName: 'search' }),
      anEvent('u', {}, { eventId: 'o4' }),
    ]);
    const now = sessionsOf([
      anEvent('t', {}, { ...onD, eventId: 'n1' }),
      anEvent('v', {}, { eventId: 'n2' }),
    ]);
    expect(pairRunEvents(old, now)).toEqual([{ datapointId: 'd', oldEventId: 'o1', newEventId: 'n1' }]);
  });

  it('pairs sessions once per datapoint, whatever their names', () => {
    const old = sessionsOf([aSession('s', onD), aSession('s2', onD)]);
    const now = sessionsOf([aSession('t', { ...onD, eventName: 'another run' }), aSession('t2', onD)]);
    expect(pairRunEvents(old, now)).toEqual([{ datapointId: 'd', oldEventId: 's', newEventId: 't' }]);
  });

  it('gives an event the datapoint of its session, and ignores events that are not selected', () => {
    const run = (id: string, isSelected: boolean) =>
      sessionsOf([
        aSession(id, { ...onD, isSelected: false }),
        anEvent(id, {}, { isSelected }),
        aSession(`${id}2`),
      ]);
    expect(pairRunEvents(run('s', true), run('t', true))).toEqual([
      { datapointId: 'd', oldEventId: 's-answer', newEventId: 't-answer' },
    ]);
    expect(pairRunEvents(run('s', true), run('t', false))).toEqual([]);
  });
});
