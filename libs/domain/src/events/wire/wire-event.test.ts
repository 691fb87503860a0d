import { acceptEvent } from '../accept/accept-event.js';
import { acceptSession } from '../accept/accept-session.js';
import { toWireEvent } from './wire-event.js';

const context = { projectId: 'p', now: 1000, newId: () => '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e' };

describe('an event in a response', () => {
  it('has text where clients expect text, and no origin', () => {
    const wire = toWireEvent(acceptEvent({ event_type: 'tool' }, context).event, { name: 'bot' });
    expect(wire).toMatchObject({
      project: 'bot',
      project_id: 'p',
      org_id: 'default',
      workspace_id: 'default',
      error: null,
      outputs: {},
    });
    expect(wire).not.toHaveProperty('origin');
    expect(wire).not.toHaveProperty('session_name');
  });

  it('has no end and no duration while it is open', () => {
    const keys = Object.keys(
      toWireEvent(acceptEvent({ event_type: 'tool' }, context).event, { name: 'bot' }),
    );
    expect(keys).not.toContain('end_time');
    expect(keys).not.toContain('duration');
  });

  it('has the fraction of its start and of its end', () => {
    const { event } = acceptEvent({ event_type: 'tool', start_time: 1.25, end_time: 2.75 }, context);
    expect(toWireEvent(event, { name: 'bot' })).toMatchObject({
      start_time: 1.25,
      end_time: 2.75,
      duration: 1.5,
    });
  });

  it('has the duration derived from an end that an update set', () => {
    const { event } = acceptEvent({ event_type: 'tool', start_time: 10 }, context);
    expect(toWireEvent({ ...event, end_time: 25 }, { name: 'bot' })).toMatchObject({
      end_time: 25,
      duration: 15,
    });
  });

  it('has its name twice if it is a session', () => {
    const { event } = acceptSession({ session_name: 'chat' }, context);
    expect(toWireEvent(event, { name: 'bot' })).toMatchObject({
      session_name: 'chat',
      event_name: 'chat',
      parent_id: null,
    });
  });

  it.each([
    [{ session_name: 'chat' }, { event_name: 'chat', session_name: 'chat', metadata: {} }],
    [{ event_name: 'start' }, { event_name: 'start', session_name: 'start', metadata: {} }],
    [
      { event_name: 'start', session_name: 'chat' },
      { event_name: 'start', session_name: 'chat', metadata: { session_name: 'chat' } },
    ],
    [
      { event_name: 'a', session_name: 'a' },
      { event_name: 'a', session_name: 'a', metadata: {} },
    ],
    [
      { event_name: 'a', session_name: 'b', metadata: { session_name: 'c', x: 1 } },
      { event_name: 'a', session_name: 'c', metadata: { session_name: 'c', x: 1 } },
    ],
    [{ session_name: '' }, { event_name: 'unknown', session_name: 'unknown' }],
  ])('keeps both names of a session that is sent as an event: %j', (names, expected) => {
    const { event } = acceptEvent({ event_type: 'session', ...names }, context);
    expect(toWireEvent(event, { name: 'bot' })).toMatchObject(expected);
    const { event: other } = acceptEvent({ event_type: 'tool', ...names }, context);
    expect(toWireEvent(other, { name: 'bot' })).not.toHaveProperty('session_name');
  });
});
