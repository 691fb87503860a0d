import fc from 'fast-check';
import { isMarkdown } from './is-markdown.js';
import { markdownNodes, type MarkdownNode, type MarkdownNodes } from './markdown-nodes.js';

/** All nodes of a tree, the outer ones first. */
function all(nodes: MarkdownNodes): MarkdownNode[] {
  return nodes.flatMap((node) => [node, ...('children' in node ? all(node.children) : [])]);
}
const nodesOf = (text: string) => all(markdownNodes(text) ?? []);
const linksOf = (text: string) => nodesOf(text).flatMap((node) => (node.kind === 'link' ? [node.href] : []));
const textOf = (text: string) =>
  nodesOf(text)
    .map((node) => (node.kind === 'text' || node.kind === 'code' ? node.text : ''))
    .join('');

describe('Markdown of messages', () => {
  it('is headings, lists, tables, code, emphasis and links', () => {
    const text =
      '# A\n\n1. **b** and `c`\n2. d\n\n```js\ne()\n```\n\n| f | g |\n|---|---|\n| 1 | 2 |\n\n> [h](https://i.example/)';
    const kinds = nodesOf(text).map((node) => ('tag' in node ? node.tag : node.kind));
    for (const kind of ['heading', 'ol', 'li', 'strong', 'code', 'table', 'th', 'td', 'blockquote', 'link'])
      expect(kinds).toContain(kind);
    expect(nodesOf(text)).toContainEqual({ kind: 'code', text: 'e()', isBlock: true });
    expect(linksOf(text)).toEqual(['https://i.example/']);
  });

  it('keeps line ends, and numbers lists as they were written', () => {
    expect(markdownNodes('a\nb')).toEqual([
      {
        ...{ kind: 'element', tag: 'p' },
        children: [{ kind: 'text', text: 'a' }, { kind: 'break' }, { kind: 'text', text: 'b' }],
      },
    ]);
    expect(nodesOf('3. a\n4. b')[0]).toMatchObject({ tag: 'ol', start: 3 });
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](data:image/png;base64,AAAA)',
    '[x](vbscript:x)',
    '[x](file:///etc/passwd)',
    '[x](blob:https://a.example/1)',
    '[x](ftp://a.example/)',
    '[x](//a.example/)',
    '[x](/v1/events)',
    '[x](#code=1)',
    '[x][1]\n\n[1]: javascript:alert(1)',
    '<javascript:alert(1)>',
  ])('has no link in %p, and the text stays', (text) => {
    expect(linksOf(text)).toEqual([]);
    expect(textOf(text)).not.toBe('');
  });

  it.each([
    ['<https://a.example/?q=1>', 'https://a.example/?q=1'],
    ['[x](http://a.example)', 'http://a.example/'],
    ['[x](mailto:a@b.example)', 'mailto:a@b.example'],
  ])('has a link in %p', (text, href) => expect(linksOf(text)).toEqual([href]));

  it('names images and never has their address as one to load', () => {
    expect(nodesOf('![secret](https://elsewhere.example/?q=1)')[1]).toEqual({
      kind: 'image',
      alt: 'secret',
      address: 'https://elsewhere.example/?q=1',
    });
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="https://a.example">b</a>',
    '<!-- c -->',
  ])('shows %p as text', (text) => expect(textOf(text)).toBe(text));

  it.each([
    ['nested quotes', '>'.repeat(30_000)],
    ['nested lists', Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['open brackets', '['.repeat(30_000)],
    ['open images', '!['.repeat(15_000)],
    ['stars', '*a '.repeat(10_000)],
    ['backticks', '`'.repeat(30_000)],
    ['table cells', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n|${'b|'.repeat(500)}`],
    ['references', Array.from({ length: 1_000 }, (_, at) => `[${at}]: https://a.example/`).join('\n')],
    ['entities', '&amp;'.repeat(6_000)],
  ])('is bounded for %s', (_, text) => {
    const nodes = nodesOf(text);
    expect(nodes.length).toBeLessThan(4_500);
    expect(Math.max(0, ...depthsOf(markdownNodes(text) ?? []))).toBeLessThan(100);
  });

  it('leaves a text that is too long as it is', () =>
    expect(markdownNodes('# a '.repeat(20_000))).toBeUndefined());

  const seed = Date.now() % 2 ** 31;
  it(`reads any text, and only links to known schemes (seed ${seed})`, () => {
    const piece = fc.constantFrom(
      ...'#*_`[]()!<>|-:\\\n 1.a&~"',
      'https://a.example',
      'javascript:',
      '\u202e',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const href of linksOf(pieces.join(''))) expect(href).toMatch(/^(?:https?:\/\/|mailto:)/);
      }),
      { seed, numRuns: 1_000 },
    );
  });
});

function depthsOf(nodes: MarkdownNodes, depth = 1): number[] {
  return nodes.flatMap((node) => ('children' in node ? depthsOf(node.children, depth + 1) : [depth]));
}

describe('a text is read as Markdown', () => {
  it.each(['# a', 'x\n- a', '1. a', '**a**', 'use `a`', '[a](b)', '> a', '```\na', '| a |\n|---|'])(
    '%p',
    (text) => expect(isMarkdown(text)).toBe(true),
  );
  it.each(['Where is my refund?', '3 * 4 * 5', 'a - b', 'x_y_z', '#1', '[a] (b)', 'a\nb'])(
    'and %p is not',
    (text) => expect(isMarkdown(text)).toBe(false),
  );
});
