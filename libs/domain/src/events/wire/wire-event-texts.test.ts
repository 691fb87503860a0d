import fc from 'fast-check';
import { emptyEvent, type Event } from '../event.js';
import { EVENT_SHAPE } from '../event-shape.js';
import { parseStoredEvent, type StoredEvent } from '../stored-event.js';
import { toWireEvent } from './wire-event.js';
import { wireEventTexts } from './wire-event-texts.js';

const project = { name: 'a "bot"\n' };
const plainly = (event: Event) => JSON.stringify(toWireEvent(event, project));
const copied = (event: Event) => wireEventTexts(toStoredEvent(event), project).join('');

/** Returns the event with its open objects as texts. */
function toStoredEvent(event: Event): StoredEvent {
  const stored: Record<string, unknown> = { ...event };
  for (const bucket of EVENT_SHAPE.buckets) stored[bucket] = JSON.stringify(event[bucket]);
  return stored as StoredEvent;
}

describe('the text of a stored event', () => {
  it('is what JSON.stringify writes of it in the format of the API', () => {
    const text = fc.string({ unit: 'binary' });
    const time = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }));
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    const objects = Object.fromEntries(EVENT_SHAPE.buckets.map((name) => [name, object]));
    const fields = fc.record({
      event_type: fc.constantFrom('session', 'model'),
      event_name: text,
      error: fc.option(text),
      children_ids: fc.array(text, { maxLength: 2 }),
      start_time: fc.double({ noNaN: true, noDefaultInfinity: true }),
      end_time: time,
      duration: time,
      ...objects,
    });
    fc.assert(
      fc.property(fields, (values) => {
        const event = { ...emptyEvent(), ...values } as Event;
        expect(copied(event)).toBe(plainly(event));
      }),
      { seed: Date.now(), numRuns: 300 },
    );
  });

  it.each([
    ['an integer with an exponent', '{"a":1e+20,"b":"1e+20"}'],
    ['a large number', '{"a":1e+21}'],
    ['equal keys of replaced characters', '{"\ufffd":1,"x":"+","\ufffd":2}'],
    ['no text at all', ''],
  ])('is written as it is read, with %s', (_title, metadata) => {
    const stored = { ...toStoredEvent(emptyEvent()), metadata };
    expect(wireEventTexts(stored, project).join('')).toBe(plainly(parseStoredEvent(stored)));
  });

  it('has a long object in a piece of its own, which is not copied', () => {
    const inputs = JSON.stringify({ question: 'x'.repeat(1_000) });
    expect(wireEventTexts({ ...toStoredEvent(emptyEvent()), inputs }, project)).toContain(inputs);
  });
});
