import { startStandalone } from '../harness/stack/start-standalone.js';
import { otherProjects } from './other-projects.js';

describe('a key of another project, at the standalone process', () => otherProjects(() => startStandalone()));
