import { describeWhere } from '@assay/testing';
import { lighthouseOf } from '../harness/console/lighthouse.js';
import { seedTraces, startWithConsole } from '../harness/console/seeded-product.js';
import type { Stack } from '../harness/stack/stack.js';

/** Folder in which the package is installed, as `.ci/run` does. */
const folder = process.env.LIGHTHOUSE_FOLDER;
const NEEDED = {
  missing:
    folder === undefined ? 'lighthouse, which .ci/run installs and LIGHTHOUSE_FOLDER names' : undefined,
  mustRun: false,
};

describeWhere({ describe, it }, 'Lighthouse for a desktop', NEEDED, () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startWithConsole();
    await seedTraces(stack, 20);
  });
  afterAll(async () => {
    await stack?.stop();
  });

  it('finds nothing against accessibility and best practice on Start and in the list', async () => {
    const pagesOf = (project: string) => ['start', 'sessions'].map((name) => `/console/p/${project}/${name}`);
    const found = await lighthouseOf(folder ?? '', stack, pagesOf);
    for (const [path, { performance, accessibility, bestPractice, faults }] of found) {
      process.stdout.write(`lighthouse, ${path.split('/').at(-1) ?? ''}: performance ${performance}\n`);
      expect({ path, accessibility, bestPractice, faults }).toEqual({
        ...{ path, accessibility: 100, bestPractice: 100 },
        faults: [],
      });
    }
    expect(found.size).toBe(2);
  });
});
