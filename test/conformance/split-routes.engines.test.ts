import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { routeConformance } from './route-conformance.js';

describe('every route of separate services', () =>
  routeConformance(() => startSplit(enginesFromEnvironment())));
