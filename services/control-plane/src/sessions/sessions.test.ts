import { openEmbedded } from '../../test/resource-api.js';
import { describeSessions } from '../../test/sessions-suite.js';

describeSessions('on SQLite', openEmbedded);
