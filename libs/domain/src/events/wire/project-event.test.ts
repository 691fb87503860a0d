import type { JsonObject } from '../../json.js';
import { acceptEvent } from '../accept/accept-event.js';
import { projectEvent } from './project-event.js';
import { toWireEvent } from './wire-event.js';

const metadata = { run_id: 'r', 'a.b': 1, a: { c: 2, d: { e: 3 } } };
const { event } = acceptEvent(
  {
    event_type: 'tool',
    inputs: { q: 'x', long: 'y' },
    metadata: JSON.parse('{"__proto__":{"x":1}}') as JsonObject,
  },
  { projectId: 'p', now: 5, newId: () => '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e' },
);
const wire = { ...toWireEvent(event, { name: 'n' }), metadata: { ...metadata, ...event.metadata } };
const event_id = wire.event_id;

describe('a projection', () => {
  test.each<[string[], object]>([
    [['event_type', 'inputs'], { event_id, event_type: 'tool', inputs: { q: 'x', long: 'y' } }],
    [['inputs.q'], { event_id, inputs: { q: 'x' } }],
    [['inputs.q', 'inputs'], { event_id, inputs: { q: 'x', long: 'y' } }],
    [['metadata.a.b', 'metadata.a.d.e'], { event_id, metadata: { 'a.b': 1, a: { d: { e: 3 } } } }],
    [['metadata.nothing', 'nothing', '', 'toString'], { event_id }],
  ])('of %j gives these fields and the id', (fields, expected) => {
    expect(projectEvent(wire, fields)).toEqual(expected);
  });

  test('without fields returns the whole event', () => {
    expect(projectEvent(wire, [])).toBe(wire);
  });

  test('returns a key named __proto__ as data', () => {
    expect(JSON.stringify(projectEvent(wire, ['metadata.__proto__']))).toContain(
      '"metadata":{"__proto__":{"x":1}}',
    );
  });
});
