import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { otherProjects } from './other-projects.js';

describe('a key of another project, at separate services', () =>
  otherProjects(() => startSplit(enginesFromEnvironment())));
