import { AppError, unavailable } from '@assay/errors';
import { errorResponse } from './error-response.js';

describe('Retry-After', () => {
  const secondsOf = (error: AppError) =>
    Number(errorResponse(error, { requestId: 'r-1' }).headers?.['Retry-After']);

  it('is a few seconds after a failure that may pass', () => {
    const seconds = Array.from({ length: 100 }, () => secondsOf(unavailable('not now')));
    expect([Math.min(...seconds) >= 1, Math.max(...seconds) <= 5]).toEqual([true, true]);
  });

  it('is not before the end of a pause', () => {
    const paused = new AppError('UNAVAILABLE', 'paused', { details: { retryAfterSeconds: 60 } });
    const seconds = Array.from({ length: 100 }, () => secondsOf(paused));
    expect([Math.min(...seconds) >= 60, Math.max(...seconds) <= 64]).toEqual([true, true]);
  });

  it('is absent when another attempt changes nothing', () => {
    const { headers } = errorResponse(new AppError('NOT_FOUND', 'nothing'), { requestId: 'r-1' });
    expect(headers).toEqual({ 'X-Request-Id': 'r-1' });
  });
});
