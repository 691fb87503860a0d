import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = (path: string) => readFileSync(join(__dirname, '..', path), 'utf8');

/** The blocks of lines between empty ones, without comments. */
function blocksOfRequirements(): string[] {
  return file('requirements.txt')
    .split('\n\n')
    .map((block) => block.replace(/^#.*\n?/gm, ''))
    .filter((block) => block !== '');
}

describe('the requirements of metrics', () => {
  it('name the libraries that the fork server loads, then only their dependencies', () => {
    const [, listed = ''] =
      /^LIBRARIES = \{\n(.+?)^\}/ms.exec(file('harness/assay_sandbox/preload.py')) ?? [];
    const loaded = [...listed.matchAll(/^ {4}"([^"]+)":/gm)].map(([, name]) => name);
    const blocks = blocksOfRequirements();
    expect(blocks).toHaveLength(2);
    const required = [...blocks[0]!.matchAll(/^([\w.-]+)==/gm)].map(([, name]) => name);
    expect(loaded).toContain('pandas');
    expect(required).toEqual(loaded);
  });

  it('pin every version and hash, and name no host', () => {
    for (const requirement of blocksOfRequirements()
      .join('\n')
      .trim()
      .split(/\n(?=\w)/))
      expect(requirement.trim()).toMatch(/^[\w.-]+==[\w.]+( \\\n {4}--hash=sha256:[0-9a-f]{64})+$/);
    expect(file('requirements.txt')).not.toMatch(/:\/\/|--(extra-)?index-url/);
  });
});
