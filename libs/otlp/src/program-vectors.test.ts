import { storedInEveryWay } from '../test/arrival.js';
import { conventionProgramVectors } from '../test/program-vectors/convention-vectors.js';
import { messageVectors } from '../test/program-vectors/message-vectors.js';
import { platformVectors } from '../test/program-vectors/platform-vectors.js';
import { responseVectors } from '../test/program-vectors/response-vectors.js';
import { usageVectors } from '../test/program-vectors/usage-vectors.js';

describe.each([
  ['token counts and costs', usageVectors],
  ['messages', messageVectors],
  ['requests and responses', responseVectors],
  ['conventions', conventionProgramVectors],
  ['platforms', platformVectors],
])('%s of real programs, in both encodings and any order of arrival', (_, vectors) => {
  it.each(vectors)('$name', (vector) => {
    expect(storedInEveryWay(vector)).toMatchObject(vector.events);
  });
});
