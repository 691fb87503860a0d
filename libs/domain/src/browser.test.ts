import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, runInContext, type Context } from 'node:vm';
import type * as browser from './browser.js';
import { utf8Length } from './utf8-length.js';

type Browser = typeof browser;

/** Loads compiled modules as a page would: with the globals of the language, and without those of Node and its modules. */
class Page {
  readonly loaded = new Map<string, { exports: object }>();
  private readonly context: Context = createContext({});

  load(file: string): object {
    const known = this.loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    this.loaded.set(file, module);
    const resolve = createRequire(file).resolve;
    const requireFrom = (name: string): object => {
      if (!name.startsWith('.') && !name.startsWith('@assay/')) throw new Error(`${file} imports ${name}`);
      return this.load(resolve(name));
    };
    const source = `(function (exports, require, module) { ${readFileSync(file, 'utf8')}\n})`;
    const run = runInContext(source, this.context, { filename: file }) as (...names: unknown[]) => void;
    run(module.exports, requireFrom, module);
    return module.exports;
  }
}

describe('the rules for pages', () => {
  const page = new Page();
  const rules = page.load(join(dirname(__dirname), 'dist/browser.js')) as Browser;

  test('load without a module of Node, which a page does not have', () => {
    expect([...page.loaded.keys()].some((file) => file.endsWith('date-range.js'))).toBe(true);
    expect(() => page.load(join(dirname(__dirname), 'dist/index.js'))).toThrow(/imports node:/);
  });

  test('work without the globals of Node', () => {
    expect(
      rules.acceptFilters([{ field: 'metadata.tags', operator: 'in', value: ['ä', '𝄞'] }], 'strict'),
    ).toMatchObject([{ field: 'metadata.tags', operator: 'in', type: 'string', value: ['ä', '𝄞'] }]);
    expect(() => rules.acceptFilters([{ field: 'a', operator: 'like', value: 1 }], 'strict')).toThrow(
      'filters[0].operator must be one of',
    );
    expect(rules.acceptDateRange('7d', 864_000_000)).toEqual({ from: 259_200_000, to: 864_000_000 });
    expect(rules.acceptDateRange({ start: '2026-11-01' }, 0, 'Europe/Berlin')).toEqual({
      from: Date.parse('2026-10-31T23:00:00Z'),
    });
    expect(rules.missingPermission({ permissions: ['runs:read'] }, ['events:read'])).toBe('events:read');
    const root: browser.TreeEvent = { event_id: 's', parent_id: null, start_time: 0 };
    const tree = rules.sessionTree(root, [{ event_id: 'a', parent_id: 'gone', start_time: 1 }]);
    expect(tree.children).toHaveLength(1);
  });
});

test.each(['', 'abc', 'ä€', '𝄞x', '\u07ff\u0800', 'x'.repeat(1_000) + '☃'])(
  'the bytes of %j are those of UTF-8',
  (text) => {
    expect(utf8Length(text)).toBe(Buffer.byteLength(text));
  },
);
