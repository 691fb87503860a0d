import type { JsonValue } from '../json.js';
import { annotationNames, annotationUpdate, checkAnnotation, type ScoreRule } from './annotation.js';

const rule = (name: string, fields: Partial<ScoreRule> = {}): ScoreRule => ({
  name,
  return_type: 'float',
  scale: null,
  categories: null,
  ...fields,
});
const rules = [
  rule('score'),
  rule('stars', { scale: 5 }),
  rule('good', { return_type: 'boolean' }),
  rule('note', { return_type: 'string' }),
  rule('tone', { return_type: 'categorical', categories: [{ category: 'kind', score: 1 }] }),
  rule('label', { return_type: 'categorical' }),
];

describe('the scores that a person gives', () => {
  it.each<[string, JsonValue]>([
    ['score', -2.5],
    ['stars', 1],
    ['stars', 5],
    ['good', false],
    ['note', ''],
    ['tone', 'kind'],
    ['label', 'anything'],
    ['stars_explanation', 'because'],
  ])('may be %s: %j', (name, value) => {
    expect(() => checkAnnotation({ [name]: value }, rules)).not.toThrow();
  });

  it.each<[string, JsonValue, string]>([
    ['score', '1', 'metrics.score must be a finite number'],
    ['score', null, 'metrics.score must be a finite number'],
    ['score', true, 'metrics.score must be a finite number'],
    ['stars', 0, 'metrics.stars must be from 1 to 5'],
    ['stars', 5.1, 'metrics.stars must be from 1 to 5'],
    ['good', 1, 'metrics.good must be true or false'],
    ['note', { a: 1 }, 'metrics.note must be a string'],
    ['tone', 'rude', 'metrics.tone must be one of the categories of the metric'],
    ['tone', 1, 'metrics.tone must be a string'],
    ['stars_explanation', 5, 'metrics.stars_explanation must be a string'],
    ['absent', 1, 'metrics.absent is not a metric that people judge'],
    ['absent_explanation', 'x', 'metrics.absent_explanation is not a metric that people judge'],
    ['__proto__', 1, 'metrics.__proto__ is not a metric that people judge'],
    ['a\u0000b', 1, 'metrics.a?b is not a metric that people judge'],
  ])('may not be %s: %j', (name, value, message) => {
    const scores = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as Record<
      string,
      JsonValue
    >;
    expect(() => checkAnnotation(scores, rules)).toThrow(message);
  });

  it('must be valid for one of the metrics of that name', () => {
    const two = [
      rule('x', { scale: 5 }),
      rule('x', { return_type: 'string' }),
      rule('x_explanation', { return_type: 'boolean' }),
    ];
    const taken: [string, JsonValue][] = [
      ['x', 3],
      ['x', 'text'],
      ['x_explanation', true],
      ['x_explanation', 'text'],
    ];
    for (const [name, value] of taken) expect(() => checkAnnotation({ [name]: value }, two)).not.toThrow();
    expect(() => checkAnnotation({ x: 9 }, two)).toThrow('metrics.x must be from 1 to 5');
  });

  it('belong to metrics of their name, or of the metric that they explain', () => {
    expect(
      annotationNames({ tone: 1, tone_explanation: 'x', _explanation: 'y', ['x'.repeat(201)]: 1 }),
    ).toEqual(['tone', 'tone_explanation', '_explanation', '']);
  });
});

describe('the update of an event by an annotation', () => {
  it('keeps the values of the annotator, and removes an explanation that belongs to an older score', () => {
    expect(
      annotationUpdate({
        annotator: 'anna',
        metrics: { tone: 4, good: true, good_explanation: 'short' },
      }),
    ).toEqual({
      metrics: { tone: 4, tone_explanation: null, good: true, good_explanation: 'short' },
      feedback: {
        'tone@anna': 4,
        'tone_explanation@anna': null,
        'good@anna': true,
        'good_explanation@anna': 'short',
      },
    });
  });

  it('leaves a metric alone that has the name of an explanation and is not scored by people', () => {
    const rules = [rule('tone'), { ...rule('tone_explanation'), by_people: false }];
    expect(annotationUpdate({ annotator: 'a', metrics: { tone: 4 }, rules }).metrics).toEqual({ tone: 4 });
    expect(() => checkAnnotation({ tone_explanation: 4 }, rules)).toThrow(
      'tone_explanation must be a string',
    );
    expect(() => checkAnnotation({ tone: 4 }, [{ ...rule('tone'), by_people: false }])).toThrow(
      'is not a metric that people judge',
    );
  });

  it('leaves a metric alone that has the name of an explanation', () => {
    const rules = [rule('tone'), rule('tone_explanation', { return_type: 'string' })];
    expect(annotationUpdate({ annotator: 'a', metrics: { tone: 4 }, rules })).toEqual({
      metrics: { tone: 4 },
      feedback: { 'tone@a': 4 },
    });
  });

  it('has an explanation alone without touching the score', () => {
    const metrics = { tone_explanation: 'polite' };
    expect(annotationUpdate({ annotator: 'a', metrics })).toEqual({
      metrics,
      feedback: { 'tone_explanation@a': 'polite' },
    });
  });

  it('keeps the note under the key of the queue', () => {
    const note = { queueId: '65c13dbbd65fb876b7886cdb', reason: 'not a question' };
    expect(annotationUpdate({ annotator: 'a', note })).toEqual({
      feedback: { '65c13dbbd65fb876b7886cdb@a': { comment: null, reason: 'not a question' } },
    });
  });
});
