import { ANNOTATOR_PATTERN, annotatorKey, annotatorOfKey, readAnnotatorKey } from './annotator.js';

describe('the feedback key of an annotator', () => {
  it.each([
    ['tone', 'anna'],
    ['tone@noon', '8Jx2m0aQ4bYv7LkT1sWn5cRe'],
    ['two\nlines', 'a_b-c'],
  ])('names the metric %j and the annotator %j', (name, annotator) => {
    expect(readAnnotatorKey(annotatorKey(name, annotator))).toEqual({ name, annotator });
  });

  it.each(['ground_truth', '@anna', 'tone@', 'tone@anna.b', 'anna@example.com', `tone@${'x'.repeat(65)}`])(
    'is not %j',
    (key) => expect(readAnnotatorKey(key)).toBeUndefined(),
  );

  it.each([
    ['8Jx2m0aQ4bYv7LkT1sWn5cRe', '8Jx2m0aQ4bYv7LkT1sWn5cRe'],
    ['a.b@c', 'a_b_c'],
    ['', '_'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('follows from the key id %j when the request names no annotator', (keyId, annotator) => {
    expect(annotatorOfKey(keyId)).toBe(annotator);
    expect(annotator).toMatch(new RegExp(ANNOTATOR_PATTERN));
  });
});
