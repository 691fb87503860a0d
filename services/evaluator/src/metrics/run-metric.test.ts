import { failed } from '../judging/evaluate-metric.js';
import { toRunResponse } from './run-metric.js';

describe('the response to a run of a metric', () => {
  test.each([
    ['overloaded', true, 'OVERLOADED', 503],
    ['unavailable', true, 'UNAVAILABLE', 503],
    ['execution_error', false, 'execution_error', 422],
    ['template_render_error', false, 'template_render_error', 422],
  ])('to a failure %s, postponed %s, is %s', (errorClass, isPostponed, code, status) => {
    const run = () => toRunResponse({ result: failed(errorClass, 'it failed'), isPostponed });
    expect(run).toThrow(expect.objectContaining({ code, status, message: 'it failed' }) as Error);
  });
});
