import { commandFailure, insertFailure, queryFailure, readerFailure } from './engine-failure.js';

const engineError = (code: string, message = `Code: ${code}`) => Object.assign(new Error(message), { code });

describe('failures of the engine', () => {
  it.each(['27', '376', '117', '72'])(
    'an insert with data that cannot be read (%s) fails permanently',
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

  it.each(['159', '241', '396'])('a query beyond its limits (%s) fails permanently', (code) => {
    expect(queryFailure(engineError(code))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each(['158', '159', '160', '241', '307', '396'])(
    'retries a read of the store itself that exceeds a limit (%s)',
    (code) => {
      expect(readerFailure(engineError(code))).toMatchObject({
        code: 'UNAVAILABLE',
        retryable: true,
        details: { engineCode: Number(code) },
      });
    },
  );

  it('does not retry a read of the store itself with a value that the engine refuses', () => {
    expect(readerFailure(engineError('376'))).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
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
