import type { JsonObject } from '../../json.js';
import { acceptEvent } from '../accept/accept-event.js';
import { acceptSession, type SessionInput } from '../accept/accept-session.js';
import type { Event, EventInput } from '../event.js';
import { applyPatch, mergeCreates, mergePatches } from './merge-event.js';
import { synthesiseSession } from '../accept/synthesise-session.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const context = { projectId: 'p', now: 1000, newId: () => ID };

const event = (input: Partial<EventInput>) => acceptEvent({ event_type: 'tool', ...input }, context).event;
const session = (input: SessionInput) => acceptSession({ session_id: ID, ...input }, context).event;
const synthesised = (start: number, end: number): Event =>
  synthesiseSession([event({ session_id: ID, start_time: start, end_time: end, source: 'otlp' })]);

describe('an event that is sent twice', () => {
  it('has the newer fields and the merged open objects of both', () => {
    const older = event({
      event_name: 'a',
      inputs: { q: 1 },
      metadata: { x: 1, y: 1 },
      metrics: { m: 1 },
      start_time: 10,
    });
    const newer = event({ event_name: 'b', inputs: { r: 2 }, metadata: { y: 2, z: 2 }, start_time: 20 });
    expect(mergeCreates(older, newer)).toMatchObject({ event_name: 'b', start_time: 20, metrics: { m: 1 } });
    expect(mergeCreates(older, newer).inputs).toEqual({ r: 2 });
    expect(mergeCreates(older, newer).metadata).toEqual({ x: 1, y: 2, z: 2 });
  });

  it('keeps fields that the second create omits', () => {
    const older = event({
      event_name: 'a',
      source: 'prod',
      inputs: { q: 1 },
      outputs: { a: 1 },
      error: 'x',
      children_ids: ['c'],
      duration: 5,
    });
    expect(mergeCreates(older, event({}))).toEqual(older);
    expect(mergeCreates(event({ parent_id: 'up' }), event({}))).toMatchObject({ parent_id: 'up' });
  });

  it('is unchanged if both creates are equal', () => {
    const once = event({ event_name: 'a', inputs: { q: 1 }, outputs: {}, start_time: 5, end_time: 9 });
    expect(mergeCreates(once, once)).toEqual(once);
  });

  it('keeps keys such as __proto__ as data', () => {
    const proto: JsonObject = Object.fromEntries([['__proto__', { a: 1 }]]);
    const merged = mergeCreates(event({ metadata: proto }), event({ metadata: { constructor: 2 } }));
    expect(JSON.stringify(merged.metadata)).toBe('{"__proto__":{"a":1},"constructor":2}');
    expect(Object.getPrototypeOf(merged.metadata)).toBe(Object.prototype);
  });
});

describe('a session', () => {
  it('that is started again keeps its first start time', () => {
    const first = session({
      session_name: 'chat',
      start_time: 100,
      metadata: { a: 1 },
      user_properties: { u: 1 },
    });
    const again = session({ start_time: 900, metadata: { b: 2 } });
    const merged = mergeCreates(first, again);
    expect(merged).toMatchObject({
      event_name: 'chat',
      start_time: 100,
      metadata: { a: 1, b: 2 },
      user_properties: { u: 1 },
      parent_id: null,
    });
  });

  it('that a client sent takes precedence over a synthesised one in either order', () => {
    const sent = session({ session_name: 'chat', start_time: 50 });
    const made = synthesised(10, 90);
    for (const merged of [mergeCreates(sent, made), mergeCreates(made, sent)]) {
      expect(merged).toMatchObject({
        event_name: 'chat',
        source: 'otlp',
        start_time: 50,
        end_time: null,
        origin: 'sent',
      });
    }
  });

  it('that is synthesised twice spans both', () => {
    const merged = mergeCreates(synthesised(50, 60), synthesised(20, 40));
    expect(merged).toMatchObject({ start_time: 20, end_time: 60, duration: 40, origin: 'synthesised' });
  });
});

describe('updates', () => {
  it('merge open objects per key and replace the rest', () => {
    const merged = mergePatches(
      { metadata: { a: 1, b: 1 }, outputs: { x: 1 } },
      { metadata: { b: 2 }, outputs: { y: 2 }, duration: 3 },
    );
    expect(merged).toEqual({ metadata: { a: 1, b: 2 }, outputs: { y: 2 }, duration: 3 });
  });

  it('apply to an event in the same way', () => {
    const before = event({ metadata: { a: 1, b: 1 }, outputs: { x: 1 }, inputs: { q: 1 } });
    const after = applyPatch(before, {
      metadata: { b: 2 },
      outputs: { y: 2 },
      end_time: 7,
      children_ids: ['c'],
    });
    expect(after).toEqual({
      ...before,
      metadata: { a: 1, b: 2 },
      outputs: { y: 2 },
      end_time: 7,
      children_ids: ['c'],
    });
  });

  it('keep the end when they move the start, and the duration follows', () => {
    const before = event({ start_time: 10, end_time: 90, duration: 80 });
    expect(applyPatch(before, { start_time: 30 })).toMatchObject({ end_time: 90, duration: 60 });
    expect(applyPatch(before, { start_time: 30, duration: 5 })).toMatchObject({ end_time: 90, duration: 5 });
    const open = event({ start_time: 10 });
    expect(applyPatch(open, { start_time: 30 })).toMatchObject({ end_time: null, duration: null });
  });

  it('leave the start of a synthesised session, which decides how it merges, until a client starts it', () => {
    const made = synthesised(20, 60);
    expect(applyPatch(made, { start_time: 30, end_time: 90 })).toMatchObject({
      start_time: 20,
      duration: 70,
    });
    const started = mergeCreates(made, event({ event_type: 'session', start_time: 10 }));
    expect(applyPatch(started, { start_time: 30 })).toMatchObject({ origin: 'sent', start_time: 30 });
  });

  it('change the type of a step, and neither make nor end a session', () => {
    expect(applyPatch(event({ event_type: 'chain' }), { event_type: 'tool' }).event_type).toBe('tool');
    expect(applyPatch(event({ event_type: 'chain' }), { event_type: 'session' }).event_type).toBe('chain');
    expect(applyPatch(event({ event_type: 'session' }), { event_type: 'tool' }).event_type).toBe('session');
  });
});
