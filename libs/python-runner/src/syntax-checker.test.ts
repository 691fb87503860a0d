import { createSyntaxChecker } from './syntax-checker.js';

/** CPython compares the names of arguments with each other. */
const SLOW = `f(${Array.from({ length: 100_000 }, (_, n) => `a${n}=0`).join()})`;

describe('the check of the syntax of Python sources', () => {
  const checker = createSyntaxChecker();
  afterAll(() => checker.close());

  it.each<[string, string, object | undefined]>([
    ['an expression', 'result = len(outputs["content"])', undefined],
    ['a function', 'def accuracy(event):\n    return 1.0', undefined],
    ['text that is not ASCII', 'result = "é😀"', undefined],
    ['an invalid escape, which is only a warning', 'result = "\\d"', undefined],
    ['code that fails when it runs', 'import os\nos._exit(1)\nresult = 1 / 0', undefined],
    ['an open bracket', 'x = 1\nresult = (1,', { message: "'(' was never closed", line: 2 }],
    ['a statement out of place', 'x = 1\n\nreturn 5', { message: "'return' outside function", line: 3 }],
    ['nesting beyond the parser', `result = ${'('.repeat(5_000)}1${')'.repeat(5_000)}`, { line: 1 }],
    ['a null byte', 'x = "\0"', {}],
  ])('of %s', async (_, source, mistake) => {
    const found = await checker.check('p', source);
    if (mistake === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject({ message: expect.any(String) as string, ...mistake });
  });

  it('refuses a source on which the compiler fails, and continues', async () => {
    const deep = `result = ${'-'.repeat(200_000)}1`;
    expect(await checker.check('p', deep)).toMatchObject({ message: expect.any(String) as string });
    expect(await checker.check('p', 'def f(:')).toMatchObject({ line: 1 });
    const many = await Promise.all(Array.from({ length: 50 }, (_, n) => checker.check('p', `x = ${n} +`)));
    expect(many.every((mistake) => mistake?.line === 1)).toBe(true);
  });

  it('refuses a source that takes too long, pauses its project, and checks the others meanwhile', async () => {
    const pausing = createSyntaxChecker();
    const late = pausing.check('slow', SLOW).catch((error: unknown) => error);
    const waiting = pausing.check('slow', 'result = 1').catch((error: unknown) => error);
    expect(await pausing.check('quick', 'def f(:')).toMatchObject({ line: 1 });
    expect(await pausing.check('quick', 'result = 1')).toBeUndefined();
    expect(await late).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('more than 1 s of CPU') as string,
      details: { retryAfterSeconds: 60 },
    });
    expect(await waiting).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('can be changed again in') as string,
    });
    await expect(pausing.check('slow', 'result = 1')).rejects.toThrow('an earlier metric');
    expect(await pausing.check('quick', 'result = 1')).toBeUndefined();
    pausing.close();
  });

  it('refuses checks beyond its queue, and those of a process that is killed', async () => {
    const full = createSyntaxChecker();
    const checks = Array.from({ length: 60 }, () => full.check('p', SLOW).catch((error: unknown) => error));
    expect(await checks[59]).toMatchObject({ code: 'OVERLOADED' });
    full.close();
    for (const error of await Promise.all(checks)) expect(error).toMatchObject({ status: 503 });
    await expect(full.check('p', 'def f(:')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it.each([
    ['is missing', ['/nonexistent/python3']],
    ['is another program', ['sh', '-c', 'exit 3', 'sh']],
  ])('accepts every source where Python %s', async (_, command) => {
    const missing = createSyntaxChecker({ command });
    expect(await missing.check('p', 'def f(:')).toBeUndefined();
    expect(await missing.check('p', 'def f(:')).toBeUndefined();
    missing.close();
  });
});
