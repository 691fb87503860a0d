import { EXTENDED_FIELDS } from '../../test/extended-shape.js';
import { acceptEvent } from './accept/accept-event.js';
import { acceptUpdate } from './accept/accept-update.js';
import type { Event } from './event.js';
import { shapeOf } from './event-shape.js';
import { eventPath, valueAt } from './filter/event-path.js';
import { applyPatch, mergeCreates, mergePatches } from './merge/merge-event.js';
import { redactEvent } from './redact/redact-event.js';
import { acceptRedaction } from './redact/redaction.js';
import { projectEvent } from './wire/project-event.js';
import { toWireEvent } from './wire/wire-event.js';

const shape = shapeOf(EXTENDED_FIELDS);
const id = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const context = { projectId: 'p', now: 1, newId: () => id, shape };

function accept(fields: object): Event {
  return acceptEvent({ event_type: 'tool', ...fields }, context).event;
}

describe('fields added to the declaration of the event', () => {
  const event = accept({ labels: { team: 'search', tier: '1' }, region: 'eu-1' });

  it('are accepted with clean text, and have their defaults if they are not sent', () => {
    expect(event).toMatchObject({ labels: { team: 'search', tier: '1' }, region: 'eu-1' });
    expect(accept({ labels: { a: 'x\0' }, region: 'y\0' })).toMatchObject({
      labels: { a: 'x\ufffd' },
      region: 'y\ufffd',
    });
    expect(accept({})).toMatchObject({ labels: {}, region: null });
  });

  it('are updated: objects per key, other values as a whole', () => {
    const update = (fields: object) => acceptUpdate(fields, shape);
    const patch = mergePatches(
      update({ labels: { a: 1, b: 1 }, region: 'eu-2' }),
      update({ labels: { b: 2 } }),
      shape,
    );
    expect(applyPatch(event, patch, shape)).toMatchObject({
      labels: { team: 'search', tier: '1', a: 1, b: 2 },
      region: 'eu-2',
    });
  });

  it('are merged from several creates of one event', () => {
    const newer = accept({ labels: { tier: '2' } });
    expect(mergeCreates(event, newer, shape)).toMatchObject({
      labels: { team: 'search', tier: '2' },
      region: 'eu-1',
    });
  });

  it('are redacted if their declaration allows it and a rule names them', () => {
    const redaction = acceptRedaction({ redactValues: false, redactFields: ['labels.team'] }, shape);
    expect(redactEvent(event, redaction, shape)).toMatchObject({
      labels: { team: '', tier: '1' },
      region: 'eu-1',
    });
    expect(() => acceptRedaction({ redactValues: false, redactFields: ['region'] }, shape)).toThrow(
      'must begin with one of',
    );
  });

  it('are returned, projected and found by filters', () => {
    const wire = toWireEvent(event, { name: 'P' });
    expect(projectEvent(wire, ['labels.team', 'region'], shape)).toStrictEqual({
      event_id: id,
      labels: { team: 'search' },
      region: 'eu-1',
    });
    const path = eventPath('labels.team', shape);
    expect(path && valueAt(event, path)).toBe('search');
    expect(eventPath('labels.team')).toBeUndefined();
  });
});
