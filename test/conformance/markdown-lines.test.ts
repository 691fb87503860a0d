import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';

const MODULE = join(repository, 'libs/tooling/prose/markdown-lines.mjs');
const RUN =
  'const [url, name, text] = process.argv.slice(1); console.log(JSON.stringify((await import(url))[name](text)));';

/** What a function of the module returns; node runs it, because jest compiles no modules. */
function call(name: 'longLines' | 'wrapMarkdown', text: string): unknown {
  const args = ['--input-type=module', '--eval', RUN, MODULE, name, text];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const LIMIT = 160;
const words = 'word '.repeat(40).trim();

describe('long lines of Markdown', () => {
  it('are found in texts, headings and tables', () => {
    expect(call('longLines', ['short', words, `# ${words}`, `| ${words} |`].join('\n'))).toEqual([2, 3, 4]);
  });

  it('begin after 160 characters', () => {
    const exact = words.slice(0, LIMIT - 1);
    expect(call('longLines', `${exact}x\n${exact}xy`)).toEqual([2]);
  });

  it('are not those of fenced code, nor of one address or one piece of code', () => {
    const address = `https://example.com/${'a'.repeat(LIMIT)}`;
    expect(call('longLines', ['```sh', words, '```', address, `\`${words}\``].join('\n'))).toEqual([]);
    expect(call('longLines', ['```sh', '```', words].join('\n'))).toEqual([3]);
  });
});

describe('wrapping of Markdown', () => {
  it('keeps the words of paragraphs and items, and indents items', () => {
    const text = [`${words} end`, '', `- ${words} end`, '- second', `1. ${words} end`, ''].join('\n');
    const wrapped = call('wrapMarkdown', text) as string;
    expect(wrapped.split(/\s+/)).toEqual(text.split(/\s+/));
    expect(call('longLines', wrapped)).toEqual([]);
    expect(wrapped.split('\n').map((line) => /^\W*/.exec(line)?.[0])).toEqual([
      '',
      '',
      '',
      '- ',
      '  ',
      '- ',
      '',
      '   ',
      '',
    ]);
  });

  it('joins the lines of a paragraph, and changes nothing when it is repeated', () => {
    const wrapped = call('wrapMarkdown', 'one\ntwo\n\n- three\n  four');
    expect(wrapped).toBe('one two\n\n- three four');
    expect(call('wrapMarkdown', call('wrapMarkdown', words) as string)).toBe(call('wrapMarkdown', words));
  });

  it('breaks no code, fence, heading or row', () => {
    const code = `\`${'a b '.repeat(60)}\``;
    const kept = ['```', words, '', words, '```', `# ${words}`, `| ${words} |`].join('\n');
    expect(call('wrapMarkdown', kept)).toBe(kept);
    expect(call('wrapMarkdown', `see ${code} there`)).toBe(`see\n${code}\nthere`);
  });
});
