import { describeIngestLimits } from '../../../test/ingest-limits-suite.js';
import { openEmbedded } from '../../../test/resource-api.js';

describeIngestLimits('on SQLite', openEmbedded);
