import { serveCalls } from '../../worker/serve.js';
import { ImportFunctions } from './import-functions.js';

serveCalls({ ...new ImportFunctions() });
