import { startStandalone } from '../harness/stack/start-standalone.js';
import { routeConformance } from './route-conformance.js';

describe('every route of the standalone process', () => routeConformance(() => startStandalone()));
