// For `npx jest FILE` and the buttons of editors on a compiled tree (`npm run build`): each test file belongs to one project, with what its
// kind needs. The tasks of package.json run one configuration each.
const { testSequencer, testTimeout, ...shared } = require('./libs/tooling/jest/shared.cjs');
const pure = require('./libs/tooling/jest/pure.config.cjs');

const project = (displayName) => {
  const options = { ...require(`./libs/tooling/jest/${displayName}.config.cjs`), displayName };
  for (const ofAll of ['testSequencer', 'maxWorkers', 'workerIdleMemoryLimit']) delete options[ofAll];
  return options;
};
const embedded = project('embedded');

module.exports = {
  rootDir: shared.rootDir,
  testSequencer,
  testTimeout,
  maxWorkers: shared.maxWorkers,
  workerIdleMemoryLimit: shared.workerIdleMemoryLimit,
  projects: [
    project('pure'),
    { ...embedded, testPathIgnorePatterns: [...embedded.testPathIgnorePatterns, ...pure.roots] },
    ...['resilience', 'console', 'engines'].map(project),
  ],
};
