import { describeWhere, mustAllRun, type Requirement } from './describe-where.js';

/** Runs nothing: returns what was described, and the errors of its tests. */
function described(requirement: Requirement) {
  const seen: string[] = [];
  const run = (prefix: string) => (name: string, tests: () => void) => {
    seen.push(prefix + name);
    tests();
  };
  const it = (title: string, test: () => void) => {
    seen.push(title);
    expect(test).toThrow('cannot run: no Python');
  };
  const functions = { describe: Object.assign(run(''), { skip: run('skip ') }), it };
  describeWhere(functions, 'metrics', requirement, () => seen.push('the tests'));
  return seen;
}

describe('describeWhere', () => {
  it('runs the tests where nothing is missing', () => {
    expect(described({ mustRun: true })).toEqual(['metrics', 'the tests']);
    expect(described({ mustRun: false })).toEqual(['metrics', 'the tests']);
  });

  it('skips tests that need not run, with the reason', () => {
    const skipped = ['skip metrics (skipped: no Python)', 'the tests'];
    expect(described({ missing: 'no Python', mustRun: false })).toEqual(skipped);
  });

  it('fails where tests that must run cannot', () => {
    expect(described({ missing: 'no Python', mustRun: true })).toEqual(['metrics', 'runs on this machine']);
  });

  it.each([
    [{ TESTS_MUST_RUN: 'true' }, true],
    [{ TESTS_MUST_RUN: '1' }, true],
    [{ TESTS_MUST_RUN: 'false' }, false],
    [{ TESTS_MUST_RUN: '' }, false],
    [{}, false],
  ])('takes %j for a machine that must run all tests: %j', (environment, expected) =>
    expect(mustAllRun(environment)).toBe(expected),
  );
});
