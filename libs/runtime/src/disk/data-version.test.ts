import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordDataVersion, refuseNewerData } from './data-version.js';

describe('the version of a data folder', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'assay-data-version-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const written = () => readFileSync(join(folder, 'version'), 'utf8');

  it('is the one that was recorded last, in a file without leftovers beside it', async () => {
    await recordDataVersion(folder, '0.1.0');
    await recordDataVersion(folder, '0.2.0');
    expect([written(), readdirSync(folder)]).toEqual(['0.2.0\n', ['version']]);
  });

  it.each(['0.1.0', '0.2.0', '0.10.0', '1.0.0'])('lets %s read what 0.1.0 has written', async (version) => {
    await recordDataVersion(folder, '0.1.0');
    await expect(refuseNewerData(folder, version)).resolves.toBeUndefined();
  });

  it.each(['0.1.0', '0.9.9', '0.10.0'])('lets %s read nothing of 0.10.1', async (version) => {
    await recordDataVersion(folder, '0.10.1');
    const error = await refuseNewerData(folder, version).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message:
        `the data folder ${folder} was written by Assay 0.10.1, this is ${version}: ` +
        'start that version or a newer one, or set ASSAY_DATA_DIR to another folder',
      exitCode: 78,
    });
    expect(written()).toBe('0.10.1\n');
  });

  it.each(['', '0.9', 'newest\n'])(
    'is unknown in a folder whose file has %j, which is replaced',
    async (text) => {
      writeFileSync(join(folder, 'version'), text);
      await refuseNewerData(folder, '0.1.0');
      await recordDataVersion(folder, '0.1.0');
      expect(written()).toBe('0.1.0\n');
    },
  );

  it('is unknown in a folder without one', async () => {
    await refuseNewerData(folder, '0.1.0');
    expect(readdirSync(folder)).toEqual([]);
  });
});
