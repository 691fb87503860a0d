import { openEmbedded } from '../../test/resource-api.js';
import { describeConfigurations } from '../../test/configurations-suite.js';

describeConfigurations('on SQLite', openEmbedded);
