import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '@assay/contracts';
import { PERMISSIONS } from '@assay/domain';
import { isReadOnly, permissionsOf } from '../tool.js';
import { TOOLS, toolNamed, toolsFor } from './catalogue.js';

const document = readFileSync(join(__dirname, '../../../../../docs/agents.md'), 'utf8');

function messageOf(act: () => unknown): string {
  try {
    return `accepted ${String(act())}`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the tools of agents', () => {
  it('have schemas that accept no other arguments, and are a small part of what a model can read', () => {
    for (const { name, input } of TOOLS) {
      const required = input['required'] as readonly string[];
      const refusal = `(no_such_argument is not a field|${required.join('|') || 'none'} is required)`;
      expect([name, messageOf(() => compile(input)({ no_such_argument: 1 }))]).toEqual([
        name,
        expect.stringMatching(refusal),
      ]);
      if (required.length === 0) expect(compile(input)({})).toEqual({});
    }
    expect(JSON.stringify(TOOLS.map(({ input }) => input)).length).toBeLessThan(40_000);
  });

  it('are found by their names, and by no name that objects have', () => {
    for (const tool of TOOLS) expect(toolNamed(tool.name)).toBe(tool);
    for (const name of ['constructor', '__proto__', 'toString', '']) expect(toolNamed(name)).toBeUndefined();
  });

  it('are shown to keys with all their permissions', () => {
    expect(toolsFor({})).toEqual(TOOLS);
    expect(toolsFor({ permissions: [] })).toEqual([]);
    expect(toolsFor({ permissions: PERMISSIONS })).toEqual(TOOLS);
    const reading = PERMISSIONS.filter((one) => one.endsWith(':read'));
    expect(toolsFor({ permissions: reading })).toEqual(TOOLS.filter(isReadOnly));
  });

  it('are in the list of the documents with their permissions', () => {
    const rows = [...document.matchAll(/^- `(\w+)` \(([^)]+)\):/gm)].map(([, name, permissions = '']) => [
      name,
      [...permissions.matchAll(/`([\w:]+)`/g)].map((match) => match[1]),
    ]);
    expect(rows).toEqual(TOOLS.map((tool) => [tool.name, permissionsOf(tool)]));
  });
});
