import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@assay/domain';
import { sampleEvent } from '../contract/event-fixture.js';
import { decodeEventRow } from './decode-event-row.js';
import { encodeEventRow } from './encode-event-row.js';
import { MAX_LEAVES } from './index-leaves.js';

interface Derived {
  readonly attrs: Record<string, string>;
  readonly nums: Record<string, number>;
  readonly complete: boolean;
  readonly run_id: string;
  readonly datapoint_id: string;
}

function derived(metadata: JsonObject): Derived {
  return JSON.parse(encodeEventRow(sampleEvent({ inputs: {}, outputs: {}, config: {}, metadata })).toString()) as Derived;
}

describe('the row of an event', () => {
  it('is one line, and decodes to the event', () => {
    const event = sampleEvent({
      inputs: { text: 'a\nb\r\n\u2028', '1': 1, nested: { 'a.b': [{}] } },
      error: 'line\nbreak',
    });
    const line = encodeEventRow(event);
    expect(line.includes('\n')).toBe(false);
    expect(decodeEventRow(line)).toStrictEqual(event);
  });

  it('takes a field that no event has for none of its own', () => {
    const event = { ...sampleEvent(), version: 3, ver: 9, attrs: { a: 'b' }, is_deleted: 1 };
    const row = JSON.parse(encodeEventRow(event).toString()) as object;
    expect(row).not.toHaveProperty('ver');
    expect(row).not.toHaveProperty('is_deleted');
    expect(row).toHaveProperty('attrs', { 'inputs.question': 'why', 'outputs.answer': 'because', 'config.model': 'm' });
  });

  it('indexes strings and booleans, numbers and text that reads as a number, under their paths', () => {
    const row = derived({
      env: 'prod',
      ok: true,
      n: 1.5,
      text: '-2e3',
      nested: { deep: { er: 'x' } },
      'gen_ai.model': 'm',
      list: ['x'],
      none: null,
    });
    expect(row.attrs).toStrictEqual({
      'metadata.env': 'prod',
      'metadata.ok': 'true',
      'metadata.text': '-2e3',
      'metadata.nested.deep.er': 'x',
      'metadata.gen_ai.model': 'm',
    });
    expect(row.nums).toStrictEqual({ 'metadata.n': 1.5, 'metadata.text': -2000 });
    expect(row.complete).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['too many leaves', Object.fromEntries(Array.from({ length: MAX_LEAVES + 1 }, (_, i) => [`k${i}`, i]))],
    ['a path that is too long', { ['k'.repeat(200)]: 1 }],
    ['two values under one path', { a: { b: 1 }, 'a.b': 2 }],
    ['a long text that reads as a number', { n: `0.${'0'.repeat(300)}1` }],
  ])('says that its leaves are incomplete for %s', (_name, metadata) => {
    expect(derived(metadata).complete).toBe(false);
  });

  it('leaves long text out of the index', () => {
    const row = derived({ text: 'x'.repeat(300) });
    expect(row).toMatchObject({ attrs: {}, complete: true });
  });

  it('leaves out what no filter finds: a second key with dots on a path, and one in its middle', () => {
    expect(derived({ 'a.b': { 'c.d': 1 }, x: { 'y.z': { w: 1 } } })).toMatchObject({ nums: {}, complete: true });
  });

  it('names the run and the datapoint when they are text', () => {
    const run = randomUUID();
    expect(derived({ run_id: run, datapoint_id: 'd' })).toMatchObject({ run_id: run, datapoint_id: 'd' });
    expect(derived({ run_id: 7 })).toMatchObject({ run_id: '', datapoint_id: '' });
  });

  it('writes integers beyond 64 bits with an exponent, and no digit of text', () => {
    const text = 'x 100000000000000000000 "quoted \\" 300000000000000000000"';
    const line = encodeEventRow(sampleEvent({ metadata: { n: 1e20, list: [[-3e20]], text } })).toString();
    expect(line).toContain('"metadata":{"n":1e+20,"list":[[-3e+20]],');
    expect(decodeEventRow(Buffer.from(line)).metadata).toStrictEqual({ n: 1e20, list: [[-3e20]], text });
  });

  it('replaces NUL and unpaired surrogates, and nothing that only looks like them', () => {
    const metadata = { nul: 'a\0b', half: '\ud83d!', pair: '😀', text: '\\u0000 \\\\ud800 \\ud83d' };
    const decoded = decodeEventRow(encodeEventRow(sampleEvent({ metadata })));
    expect(decoded.metadata).toStrictEqual({ ...metadata, nul: 'a\ufffdb', half: '\ufffd!' });
  });
});
