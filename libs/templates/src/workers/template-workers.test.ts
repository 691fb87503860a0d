import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseTemplate } from '../template.js';
import { TemplateError } from '../template-error.js';
import { createTemplateWorkers, type TemplateWorkersOptions } from './template-workers.js';

const PROGRAM = join(__dirname, '../../dist/workers/template-worker.js');
const FAILING = join(__dirname, '../../test/failing-worker.cjs');
const ENDLESS = '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}';

const dir = mkdtempSync(join(tmpdir(), 'assay-templates-'));
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => rmSync(dir, { recursive: true }));

function open(options: TemplateWorkersOptions = {}) {
  const workers = createTemplateWorkers({ program: PROGRAM, ...options });
  opened.push(workers);
  return workers;
}

describe('templates in worker threads', () => {
  it('render as they do in this thread, with NUL, lone surrogates and names of the prototype', async () => {
    const source = '{{ text }}|{{ inputs.__proto__ }}|{{ inputs.n }}|{{ inputs }}';
    const inputs = { ['__proto__']: 'own', n: 1.0, list: [null, true, 'x\0y'] };
    const variables = { text: 'a\0b \ud83d é 😀', inputs };
    const rendered = await open().render('p', source, variables);
    expect(rendered).toBe(parseTemplate(source).render(variables));
    expect(rendered).toContain('a\0b \ud83d é 😀|own|1|');
  });

  it('render many prompts of a project, each with its own result or mistake', async () => {
    const workers = open();
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) =>
        workers.render('p', n % 10 === 3 ? '\n{{ missing.a }}' : 'prompt {{ n }}', { n }),
      ),
    );
    results.forEach((result, n) => {
      if (n % 10 !== 3) return expect(result).toEqual({ status: 'fulfilled', value: `prompt ${n}` });
      expect(result).toMatchObject({ reason: { code: 'template_render_error', line: 2 } });
    });
  });

  it('are checked without being rendered', async () => {
    const workers = open();
    await workers.check('p', '{{ missing.a }}');
    await expect(workers.check('p', 'a\n{% if %}')).rejects.toMatchObject({ line: 2 });
    await expect(workers.check('p', `{{ [${'1,'.repeat(10_000)}] }}`)).rejects.toThrow('20,000 tokens');
  });

  it('take turns with those of other projects', async () => {
    const workers = open({ threads: 1 });
    let ended = 0;
    const loud = Array.from({ length: 100 }, () =>
      workers.render('loud', ENDLESS, {}).catch(() => void ended++),
    );
    expect(await workers.render('quiet', 'quiet', {})).toBe('quiet');
    expect(ended).toBeLessThan(20);
    await Promise.all(loud);
    expect(ended).toBe(100);
  });

  it('are refused when too many of a project wait, and those of others are not', async () => {
    const workers = open();
    const loud = Promise.allSettled(Array.from({ length: 300 }, () => workers.render('loud', 'a', {})));
    expect(await workers.render('quiet', 'quiet', {})).toBe('quiet');
    const refused = (await loud).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(300 - 256);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'OVERLOADED' } });
  });
});

describe('the thread of a template', () => {
  it('is ended when it needs too much memory, and the next template has another one', async () => {
    const workers = open({ maxHeapMegabytes: 12 });
    const wide = Array.from({ length: 200_000 }, (_, n) => [`item ${n}`]);
    await expect(workers.render('p', '{{ wide|length }}', { wide })).rejects.toThrow(TemplateError);
    expect(await workers.render('p', 'next', {})).toBe('next');
  });

  it('is ended when an operation does not look at its limit, while this thread continues', async () => {
    const workers = open({ program: FAILING, threads: 1 });
    let turns = 0;
    const counting = setInterval(() => turns++, 5);
    const others = ['before', 'after'].map((source) => workers.render('p', source, {}));
    const spinning = workers.render('p', 'spin always', {});
    await expect(spinning).rejects.toThrow('the template takes longer than 50 ms');
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
    expect(await Promise.all(others)).toEqual(['before', 'after']);
  });

  it.each([
    ['exit', 'UNAVAILABLE'],
    ['sleep', 'OVERLOADED'],
  ])('that ends by %s is replaced, and its template is tried once more', async (failure, code) => {
    const workers = open({ program: FAILING, maxWallMs: 300 });
    const once = `${failure} ${join(dir, failure)}`;
    const [first, other] = [workers.render('p', once, {}), workers.render('p', 'other', {})];
    expect([await first, await other]).toEqual([once, 'other']);
    const always = workers.render('p', `${failure} always`, {});
    await expect(always).rejects.toMatchObject({ code, message: expect.stringContaining('later') as string });
    expect(await workers.render('p', 'next', {})).toBe('next');
  });

  it('that cannot be started is a clear error, reported once a second', async () => {
    const warn = jest.fn<void, [string, ...unknown[]]>();
    const workers = open({ program: join(dir, 'missing.js'), logger: { warn } });
    for (let count = 0; count < 3; count++)
      await expect(workers.render('p', 'a', {})).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: 'templates cannot be rendered, because their worker thread cannot be started',
      });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toBe('the threads that render templates cannot be started');
  });

  it('keeps the process until its template is rendered, and no longer', async () => {
    const script = `const { createTemplateWorkers } = require(${JSON.stringify(join(__dirname, '../../dist'))});
      createTemplateWorkers().render('p', '{% for n in range(5000) %}{{ n % 10 }}{% endfor %}', {})
        .then((text) => console.log(text.length));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
    expect(stdout).toBe('5000\n');
  });

  it('is not started after the renderer is closed', async () => {
    const workers = open();
    await workers.render('p', 'a', {});
    await workers.close();
    await expect(workers.render('p', 'a', {})).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
