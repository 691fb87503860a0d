import { randomUUID } from 'node:crypto';
import { acceptEvent } from '@assay/domain';
import { missingSessionsSteps } from './missing-sessions.js';

const EVENTS = 1_000;

describe('the sessions of a batch', () => {
  it('are made in steps, each of one event or one session', () => {
    const context = { projectId: 'p', now: 1_790_000_000_000, newId: randomUUID };
    const accepted = Array.from({ length: EVENTS }, () => acceptEvent({ event_type: 'tool' }, context));
    const steps = missingSessionsSteps(accepted);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(count).toBe(2 * EVENTS);
    const sessions = accepted.map(({ event }) => event.session_id);
    expect(step.value.map(({ event_id }) => event_id)).toEqual(sessions);
  });
});
