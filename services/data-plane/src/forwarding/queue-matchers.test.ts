import {
  acceptRedaction,
  emptyEvent,
  type Event,
  type Filter,
  NO_REDACTION,
  redactEvent,
} from '@assay/domain';
import { decodeEventRow, decodeEventRowPart, encodeEventRow } from '@assay/event-rows';
import { runSync } from '@assay/runtime';
import { partRead, queueMatchers } from './queue-matchers.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const exists = (field: string): Filter => ({ field, operator: 'exists', type: 'string', value: null });
const is = (field: string, value: string | number): Filter => ({
  field,
  operator: 'is',
  type: typeof value === 'number' ? 'number' : 'string',
  value,
});
const FILTERS: readonly Filter[] = [
  exists('outputs.verdict'),
  exists('outputs'),
  exists('outputs.a b'),
  is('outputs.deep.er.key', 'x'),
  { ...exists('metadata.absent'), operator: 'not exists' },
  is('metadata.ünïcode', 1),
  is('session_name', 'named'),
  is('duration', 5),
  is('end_time', 7),
  is('event_name', 'ask'),
  is('session_id', ID),
  exists('unknown.field'),
  exists('outputs.redacted_key_1'),
  exists('outputs.deep.redacted_key_0.key'),
];
const EVENTS: readonly Partial<Event>[] = [
  {},
  { outputs: { verdict: 'yes' } },
  { outputs: { text: 'the verdict' } },
  { outputs: { 'a b': 1, ünïcode: 2 }, metadata: { ünïcode: 1 } },
  { outputs: { deep: { 'er.key': 'x' } } },
  { outputs: { 'deep.er': { key: 'x' } }, metadata: { absent: null } },
  { outputs: { 'a\u0001': 'private key', b: 'text' }, metadata: { absent: 0 } },
  { outputs: { b: 'text', 'a\n': 'private key' } },
  { outputs: { b: 'text', ['verdict'.repeat(20)]: 'long key', deep: { 'er\n': { key: 'x' } } } },
  { outputs: { deep: { er: { key: 'x' } }, absent: 'verdict' } },
  { event_type: 'session', event_name: 'ask', metadata: { session_name: 'named' } },
  { start_time: 2, duration: 5 },
  { start_time: 2, end_time: 7 },
];
const REDACTIONS = {
  none: NO_REDACTION,
  values: acceptRedaction({ redactValues: true }),
  fields: acceptRedaction({ redactValues: false, redactFields: ['outputs.verdict'] }),
};

describe('the matcher of queues', () => {
  it.each(Object.entries(REDACTIONS))(
    'agrees about a part of a row and the whole event, redaction: %s',
    async (_, redaction) => {
      for (const filter of FILTERS) {
        const routingFilters = () => Promise.resolve([{ projectId: 'p1', queues: [[filter]] }]);
        const matcher = (await queueMatchers({ controlPlane: { routingFilters }, redaction }, ['p1'])).get(
          'p1',
        )!;
        for (const fields of EVENTS) {
          const row = encodeEventRow({
            ...emptyEvent(),
            project_id: 'p1',
            event_id: ID,
            session_id: ID,
            ...fields,
          });
          const [part, whole] = [decodeEventRowPart(row, matcher.part), decodeEventRow(row)].map((event) =>
            runSync(matcher.matches(redactEvent(event, redaction))),
          );
          expect({ filter, fields, matches: part }).toEqual({ filter, fields, matches: whole });
        }
      }
    },
  );

  it('reads only what the filters name, and whole objects where redaction may have put that key', () => {
    const filters = [exists('outputs.a.verdict'), exists('outputs.score'), is('duration', 1)];
    const times = ['start_time', 'end_time', 'duration'].map((name) => [name, 'whole'] as const);
    const outputs = ['outputs', ['verdict', 'score']] as const;
    expect([...partRead(filters, NO_REDACTION)]).toEqual([outputs, ...times]);
    expect([...partRead(filters, REDACTIONS.values)]).toEqual([outputs, ...times]);
    expect([...partRead([exists('outputs.redacted_key_1')], REDACTIONS.values)]).toEqual([
      ['outputs', 'whole'],
    ]);
    expect(partRead([filters[0]!, exists('outputs')], NO_REDACTION)).toEqual(new Map([['outputs', 'whole']]));
  });

  it('does not parse an object without the key', () => {
    const row = encodeEventRow({ ...emptyEvent(), event_id: ID, session_id: ID, outputs: { text: 'x' } });
    expect(decodeEventRowPart(row, new Map([['outputs', ['verdict']]])).outputs).toEqual({});
    expect(decodeEventRowPart(row, new Map([['outputs', ['text']]])).outputs).toEqual({ text: 'x' });
  });
});
