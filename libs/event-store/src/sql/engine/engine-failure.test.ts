import { commandFailure, insertFailure, queryFailure } from './engine-failure.js';

const engineError = (code: string, message = `Code: ${code}`) => Object.assign(new Error(message), { code });

describe('failures of the engine', () => {
  it.each(['27', '376', '117', '72'])(
    'an insert with data that cannot be read (%s) fails for good',
    (code) => {
      expect(insertFailure(engineError(code))).toMatchObject({
        code: 'VALIDATION_ERROR',
        retryable: false,
        details: { engineCode: Number(code) },
      });
    },
  );

  it.each(['241', '252', '999', '60', '242'])(
    'an insert that the engine could not do now (%s) may be tried again',
    (code) => {
      expect(insertFailure(engineError(code))).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    },
  );

  it.each(['159', '241', '396'])('a query beyond its limits (%s) fails for good', (code) => {
    expect(queryFailure(engineError(code))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('a query that failed because the whole server was out of memory may be tried again', () => {
    expect(queryFailure(engineError('241', 'memory limit (total) exceeded'))).toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('no answer at all may be tried again, and keeps its cause', () => {
    const cause = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    for (const failure of [insertFailure(cause), queryFailure(cause), commandFailure(cause)]) {
      expect(failure).toMatchObject({ code: 'UNAVAILABLE', cause });
    }
  });
});
