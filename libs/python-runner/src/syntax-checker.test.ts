import { createSyntaxChecker } from './syntax-checker.js';

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

  it('continues after a source on which the compiler fails', async () => {
    await checker.check('p', `result = ${'-'.repeat(200_000)}1`);
    expect(await checker.check('p', 'def f(:')).toMatchObject({ line: 1 });
    const many = await Promise.all(Array.from({ length: 50 }, (_, n) => checker.check('p', `x = ${n} +`)));
    expect(many.every((mistake) => mistake?.line === 1)).toBe(true);
  });

  it('accepts every source where Python is missing, and once it is closed', async () => {
    const missing = createSyntaxChecker({ command: ['/nonexistent/python3'] });
    expect(await missing.check('p', 'def f(:')).toBeUndefined();
    expect(await missing.check('p', 'def f(:')).toBeUndefined();
    const closed = createSyntaxChecker();
    closed.close();
    expect(await closed.check('p', 'def f(:')).toBeUndefined();
  });
});
