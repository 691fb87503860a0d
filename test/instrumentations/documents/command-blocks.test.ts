import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../harness/stack/repository.js';
import {
  commandBlocks,
  executedBlocks,
  firstLine,
  NOT_EXECUTED,
  TESTED_ELSEWHERE,
} from './command-blocks.js';

describe('the commands of the documentation', () => {
  const blocks = commandBlocks();

  it('are executed by a test, or listed with the reason why not', () => {
    const executed = executedBlocks().map(({ text }) => text);
    const unknown = blocks.filter(
      ({ document, text }) =>
        !(document in TESTED_ELSEWHERE) && !(firstLine(text) in NOT_EXECUTED) && !executed.includes(text),
    );
    expect(unknown).toEqual([]);
    expect(executed.length).toBeGreaterThan(15);
  });

  it('have no reason for a block that does not exist, and no test that does not exist', () => {
    const lines = blocks.map(({ text }) => firstLine(text));
    for (const line of Object.keys(NOT_EXECUTED)) expect(lines).toContain(line);
    for (const [document, test] of Object.entries(TESTED_ELSEWHERE))
      for (const path of [document, test])
        expect([path, existsSync(join(repository, path))]).toEqual([path, true]);
  });

  it('name scripts of the repository that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const texts = blocks.map(({ text }) => text).join('\n');
    const named = [...texts.matchAll(/^npm (?:run )?([\w:]+)/gm)].map(([, name]) => name!);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    expect(named).toEqual(expect.arrayContaining(['start', 'test', 'test:engines']));
    for (const [, path = ''] of texts.matchAll(/^(\.ci\/\w+)/gm))
      expect([path, existsSync(join(repository, path))]).toEqual([path, true]);
  });
});
