import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../harness/stack/repository.js';
import { cachedFolder } from '../instrumentations/packages/cached-folder.js';

const run = promisify(execFile);
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7';

/** The workflows cannot run here: this checks their syntax, expressions, matrices and the inputs of well-known actions. */
it('the workflows are valid', async () => {
  const folder = await cachedFolder('actionlint', [__filename], async (empty) => {
    await run('go', ['install', ACTIONLINT], { env: { ...process.env, GOBIN: empty } });
  });
  const { stdout } = await run(join(folder, 'actionlint'), ['-shellcheck=', '-pyflakes='], {
    cwd: repository,
  });
  expect(stdout).toBe('');
}, 300_000);
