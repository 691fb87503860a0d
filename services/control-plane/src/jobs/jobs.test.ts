import { describeJobs } from '../../test/jobs-suite.js';
import { openEmbedded } from '../../test/resource-api.js';

describeJobs('on SQLite', openEmbedded);
