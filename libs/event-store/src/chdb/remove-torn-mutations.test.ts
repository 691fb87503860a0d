import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTornMutations } from './remove-torn-mutations.js';

describe('removing torn mutations', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-mutations-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('removes those without a header, and nothing else', () => {
    const table = join(dir, 'store', 'b58', 'b58397a7');
    mkdirSync(join(table, '2026_1_1_0'), { recursive: true });
    writeFileSync(join(table, 'mutation_2.txt'), 'format version: 1\ncreate time: 2026-11-27 15:14:00\n');
    writeFileSync(join(table, 'mutation_3.txt'), '');
    writeFileSync(join(table, 'mutation_4.txt'), 'format ver');
    writeFileSync(join(table, 'format_version.txt'), '');
    writeFileSync(join(dir, 'store', 'mutation_5.txt'), '');
    removeTornMutations(dir);
    expect(readdirSync(table).sort()).toEqual(['2026_1_1_0', 'format_version.txt', 'mutation_2.txt']);
    expect(readdirSync(join(dir, 'store')).sort()).toEqual(['b58', 'mutation_5.txt']);
  });

  it('accepts a folder that was never opened', () => {
    expect(() => removeTornMutations(join(dir, 'none'))).not.toThrow();
  });
});
