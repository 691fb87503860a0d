import { describeAdministrators } from '../../../test/administrators-suite.js';
import { openEmbedded } from '../../../test/resource-api.js';

describeAdministrators('on SQLite', openEmbedded);
