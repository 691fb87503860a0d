import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';

const WRONG = {
  ASSAY_PORT: 'secret-1',
  ASSAY_COLOUR: 'secret-2',
  LOG_LEVEL: 'secret-3',
  ASSAY_TLS_KEY_FILE: '/secret-4',
};

describe('a wrong configuration', () => {
  it.each([
    'deploy/standalone/dist/main.js',
    'services/ingestion/dist/main.js',
    'services/data-plane/dist/main.js',
    'services/evaluator/dist/main.js',
    'services/control-plane/dist/main.js',
  ])('ends %s with 78 and lists every mistake, without the values', (entry) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, entry)], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, ...WRONG },
      encoding: 'utf8',
    });
    expect(status).toBe(78);
    expect(stdout).toBe('');
    for (const name of Object.keys(WRONG)) expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/secret-\d|\n\s+at /);
  });
});
