import type { ResultDatapoint } from '@assay/domain';
import { EncodedJson } from '@assay/http';

/** Characters from which on a text is written. */
const MIN_TEXT_LENGTH = 4_096;
/** Texts that are remembered, and their longest: scores of a range have many values, which few datapoints share. */
const MAX_TEXTS = 10_000;
const MAX_TEXT_LENGTH = 1_000;

/**
 * Encodes the datapoints of a result as `JSON.stringify` would, several in one text. Datapoints share the list of their scores where
 * these are equal, and then its text, which is the longest part.
 */
export function* encodeDatapoints(
  datapoints: Iterable<ResultDatapoint>,
): Generator<EncodedJson, void, undefined> {
  const encode = makeEncode();
  let text = '';
  for (const datapoint of datapoints) {
    text += `${text === '' ? '' : ','}${encode(datapoint)}`;
    if (text.length < MIN_TEXT_LENGTH) continue;
    yield new EncodedJson([text]);
    text = '';
  }
  if (text !== '') yield new EncodedJson([text]);
}

function makeEncode(): (datapoint: ResultDatapoint) => string {
  const scores = new Map<ResultDatapoint['metrics'], string>();
  const scoresOf = (metrics: ResultDatapoint['metrics']) => {
    const known = scores.get(metrics);
    if (known !== undefined) return known;
    const text = JSON.stringify(metrics);
    if (scores.size < MAX_TEXTS && text.length <= MAX_TEXT_LENGTH) scores.set(metrics, text);
    return text;
  };
  // A session can have many datapoints, which follow each other.
  let session = { id: '', text: '""' };
  return function encode({ datapoint_id: id, session_id: sessionId, passed, metrics, has_error: hasError }) {
    if (sessionId !== session.id) session = { id: sessionId, text: JSON.stringify(sessionId) };
    const head = `{"datapoint_id":${JSON.stringify(id)},"session_id":${session.text},"passed":${passed}`;
    const tail = hasError === undefined ? '}' : `,"has_error":${hasError}}`;
    return `${head},"metrics":${scoresOf(metrics)}${tail}`;
  };
}
