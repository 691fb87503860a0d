import type { EventRow } from '../api/events.js';
import { printFilter } from '../url/filters.js';
import { rowFilters } from './row-filters.js';

const row: EventRow = {
  ...{
    payload_bytes: 0,
    event_id: 'e',
    session_id: 's',
    event_type: 'tool',
    event_name: 'search: orders',
    error: 'timeout',
  },
  metadata: { env: 'prod', retries: 2, cached: false, empty: '', deep: { a: 1 }, long: 'x'.repeat(501) },
};
const printed = (kind: 'events' | 'sessions', one: EventRow, chosen: readonly string[] = []) =>
  rowFilters(kind, one, chosen).map(printFilter);

describe('the values of a row as filters', () => {
  it('are its name, type, session, error and the chosen columns, with their types', () => {
    expect(printed('events', row, ['metadata.env', 'metadata.retries', 'metadata.cached'])).toEqual([
      'event_name:is:search%3A orders',
      'event_type:is:tool',
      'session_id:is:s',
      'error:is:timeout',
      'metadata.env:is:prod',
      'metadata.retries:is:2:number',
      'metadata.cached:is:false:boolean',
    ]);
  });

  it('leave out what makes no useful filter', () => {
    const chosen = [
      'metadata.empty',
      'metadata.deep',
      'metadata.long',
      'metadata.missing',
      'inputs.question',
    ];
    expect(
      printed('sessions', { payload_bytes: 0, event_id: 'e', metadata: row.metadata ?? {} }, chosen),
    ).toEqual([]);
    expect(
      printed('sessions', { payload_bytes: 0, event_id: 'e', event_name: 'unknown', root_name: 'plan' }),
    ).toEqual([]);
  });
});
