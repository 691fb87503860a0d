import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { makeWorkingFolder, removeWorkingFolder } from './working-folder.js';

describe('makeWorkingFolder', () => {
  let parent: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'assay-folder-test-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('removes folders of ended processes, and keeps those in use and of others', async () => {
    const ended = spawnSync('true').pid;
    const first = await makeWorkingFolder(parent);
    const kept = [basename(first), `assay-python-1-running`, 'assay-python-other', 'other'];
    const stale = [`assay-python-${ended}-ended`, `assay-python-${process.pid}-before`];
    for (const name of [...kept.slice(1), ...stale]) await mkdir(join(parent, name));
    const second = await makeWorkingFolder(parent);
    expect((await readdir(parent)).sort()).toEqual([...kept, basename(second)].sort());
    await removeWorkingFolder(first);
    await removeWorkingFolder(second);
    expect((await readdir(parent)).sort()).toEqual(kept.slice(1).sort());
  });
});
