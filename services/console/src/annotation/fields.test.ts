import type { Metric } from '../api/metrics.js';
import { fieldsOf, problemOfField, scoresOf } from './fields.js';

const aMetric = (id: string, fields: Partial<Metric>): Metric =>
  ({
    id,
    name: id,
    criteria: `about ${id}`,
    return_type: 'float',
    scale: null,
    categories: null,
    ...fields,
  }) as Metric;

const METRICS = [
  aMetric('tone', {
    return_type: 'categorical',
    categories: [
      { category: 'kind', score: 1 },
      { category: 'rude', score: null },
    ],
  }),
  aMetric('stars', { scale: 5 }),
  aMetric('right', { return_type: 'boolean' }),
  aMetric('euros', {}),
  aMetric('percent', { scale: 100 }),
  aMetric('why', { return_type: 'string' }),
];

describe('the fields of a queue', () => {
  it('are all metrics by name, or those that it asks for in its order', () => {
    const names = (ids?: readonly string[]) => fieldsOf(METRICS, ids).map(({ name }) => name);
    expect(names()).toEqual(['euros', 'percent', 'right', 'stars', 'tone', 'why']);
    expect(names(['why', 'deleted', 'right'])).toEqual(['why', 'right']);
    expect(
      fieldsOf([aMetric('new', { name: 'a', scale: 3 }), aMetric('old', { name: 'a', scale: 5 })], undefined),
    ).toMatchObject([{ name: 'a', scale: 3 }]);
  });

  it('have options for what can be chosen with one key', () => {
    const kinds = fieldsOf(METRICS, undefined).map(({ name, kind, options }) => [
      name,
      kind,
      options.map(({ value }) => value),
    ]);
    expect(kinds).toEqual([
      ['euros', 'number', []],
      ['percent', 'number', []],
      ['right', 'boolean', [true, false]],
      ['stars', 'options', [1, 2, 3, 4, 5]],
      ['tone', 'options', ['kind', 'rude']],
      ['why', 'text', []],
    ]);
  });
});

describe('the scores of a request', () => {
  const fields = fieldsOf(METRICS, undefined);

  it('leave out what was left empty, and read numbers', () => {
    const values = { euros: ' -1.5 ', percent: '', right: false, tone: 'kind', other: 1 };
    expect(scoresOf(fields, values)).toEqual({ euros: -1.5, right: false, tone: 'kind' });
  });

  it('have what is no number unread', () => {
    expect(scoresOf(fields, { euros: 'many' })).toEqual({ euros: 'many' });
    expect(scoresOf(fields, { euros: '1e999' })).toEqual({ euros: '1e999' });
  });

  it('are refused in words about a field', () => {
    expect(problemOfField('metrics.stars must be from 1 to 3', fields)).toEqual([
      'stars',
      'must be from 1 to 3',
    ]);
    expect(problemOfField('version is stale', fields)).toBeUndefined();
    const foreign = fieldsOf([aMetric('x', { name: 'größe' })], undefined);
    expect(problemOfField('metrics.gr??e must be a finite number', foreign)).toEqual([
      'größe',
      'must be a finite number',
    ]);
  });
});
