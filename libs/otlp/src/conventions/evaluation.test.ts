import { sessionIdOf } from '@assay/domain';
import { mapAttributes, mapOne, mapSpans, PROJECT } from '../../test/map-one.js';
import { SPAN_ID, TRACE_ID, type SpanInput } from '../../test/otlp-request.js';

const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';
const SOURCE = `${TRACE_ID}/${SPAN_ID}`;
const OTHER = 'aaaaaaaaaaaaaaaa';
const evaluation = (facts: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(facts).map(([key, value]) => [`gen_ai.evaluation.${key}`, value]));
const result = (facts: Record<string, unknown>, others: Record<string, unknown> = {}) => ({
  name: 'gen_ai.evaluation.result',
  attributes: { ...evaluation(facts), ...others },
});
const patchesOf = (...spans: SpanInput[]) => mapSpans(spans).patches;

describe('a span that represents an evaluation', () => {
  test('stores the evaluation in the metrics and all its attributes in the metadata', () => {
    const facts = {
      name: 'relevance',
      'score.value': 0.5,
      'score.label': 'fair',
      explanation: 'so so',
      'evaluator.version': '2',
    };
    expect(mapAttributes(evaluation(facts))).toMatchObject({
      metrics: { relevance: 0.5 },
      metadata: {
        evaluations: [
          { name: 'relevance', score: 0.5, label: 'fair', explanation: 'so so', 'evaluator.version': '2' },
        ],
      },
    });
  });

  test('without a evaluation keeps its attributes as they are', () => {
    const { metrics, metadata } = mapAttributes(evaluation({ name: 'relevance' }));
    expect([metrics, metadata['gen_ai.evaluation.name']]).toEqual([{}, 'relevance']);
  });
});

describe('a evaluation about a session', () => {
  test.each(['session', 'Session', 'trace', 'conversation'])(
    'with scope %s is stored on the session of the span and on the event',
    (scope) => {
      const span = {
        attributes: { 'session.id': SESSION },
        events: [result({ name: 'helpful', 'score.value': 1, scope })],
      };
      expect(patchesOf(span)).toEqual([
        { eventId: SESSION, source: SOURCE, patch: { metrics: { helpful: 1 } } },
      ]);
      expect(mapOne(span)).toMatchObject({
        metrics: { helpful: 1 },
        metadata: { evaluations: [{ name: 'helpful', scope }] },
      });
    },
  );

  test.each([{}, { scope: 'span' }, { scope: 'single_output' }])('ignores the scope %j', (scope) => {
    expect(
      patchesOf({
        attributes: { 'session.id': SESSION },
        events: [result({ name: 'helpful', 'score.value': 1, ...scope })],
      }),
    ).toEqual([]);
  });

  test('is stored on the session that it names', () => {
    const named = result(
      { name: 'helpful', 'score.label': 'yes', scope: 'session' },
      { 'session.id': 'chat-1' },
    );
    expect(patchesOf({ events: [named] })).toEqual([
      { eventId: sessionIdOf(PROJECT, 'chat-1'), source: SOURCE, patch: { metrics: { helpful: 'yes' } } },
    ]);
  });

  test('comes as attributes of a span, and as those of OpenInference, where a person gives feedback', () => {
    const asAttributes = {
      attributes: {
        'session.id': SESSION,
        ...evaluation({ name: 'tone', 'score.value': 3, scope: 'session' }),
      },
    };
    expect(patchesOf(asAttributes)).toEqual([
      { eventId: SESSION, source: SOURCE, patch: { metrics: { tone: 3 } } },
    ]);
    const annotations = Object.entries({
      name: 'rating',
      score: 5,
      annotator_kind: 'HUMAN',
      scope: 'session',
    });
    const attributes = Object.fromEntries(
      annotations.map(([key, value]) => [`annotations.0.annotation.${key}`, value]),
    );
    expect(patchesOf({ attributes: { 'session.id': SESSION, ...attributes } })).toEqual([
      { eventId: SESSION, source: SOURCE, patch: { feedback: { rating: 5 } } },
    ]);
  });

  test('with the same name: the span that started last wins, in any order of arrival', () => {
    const judged = (spanId: string, start: string, score: number): SpanInput => ({
      spanId,
      startTimeUnixNano: start,
      attributes: { 'session.id': SESSION },
      events: [result({ name: 'helpful', 'score.value': score, scope: 'session' })],
    });
    const spans = [judged(OTHER, '2000000000', 2), judged('bbbbbbbbbbbbbbbb', '1000000000', 1)];
    const expected = [
      { eventId: SESSION, source: `${TRACE_ID}/bbbbbbbbbbbbbbbb`, patch: { metrics: { helpful: 1 } } },
      { eventId: SESSION, source: `${TRACE_ID}/${OTHER}`, patch: { metrics: { helpful: 2 } } },
    ];
    expect(patchesOf(...spans)).toEqual(expected);
    expect(patchesOf(...spans.toReversed())).toEqual(expected);
  });
});
