import { parseFilter } from '../url/filters.js';
import { rowsOfMark } from './rows-of-mark.js';

const TIME = { from: Date.parse('2026-11-01T00:00:00.000Z'), to: Date.parse('2026-11-01T23:59:59.999Z') };
const NAMED = { name: 'gpt:4', isRest: false };
const filters = [parseFilter('event_type:is-not:session'), parseFilter('metadata.env:is:prod')];

it('are the events with the filters, the group and the time of a mark', () => {
  expect(rowsOfMark({ filters, group: 'config.model' }, NAMED, TIME)).toEqual({
    kind: 'events',
    search: {
      f: ['metadata.env:is:prod', 'config.model:is:gpt%3A4'],
      ...{ from: '2026-11-01T00:00:00.000Z', to: '2026-11-01T23:59:59.999Z' },
    },
  });
});

it('are sessions where the chart is of sessions', () => {
  const ofSessions = { filters: [parseFilter('event_type:is:session')], group: '' };
  expect(rowsOfMark(ofSessions, { name: '', isRest: false }, TIME)).toMatchObject({
    ...{ kind: 'sessions', search: { f: [] } },
  });
});

it('are those without the field for the empty group, and of any group for the rest', () => {
  const chart = { filters: [], group: 'metadata.env' };
  expect(rowsOfMark(chart, { name: '', isRest: false }, TIME).search.f).toEqual(['metadata.env:not-exists']);
  expect(rowsOfMark(chart, { name: 'other', isRest: true }, TIME).search.f).toEqual([]);
});
