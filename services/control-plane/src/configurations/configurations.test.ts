import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeConfigurations } from './configurations-contract.js';

describeConfigurations('on SQLite', openEmbedded);
