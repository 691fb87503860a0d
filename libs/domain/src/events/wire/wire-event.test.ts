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
});
