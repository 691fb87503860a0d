import { serveCalls } from '../worker/serve.js';
import { PayloadFunctions } from './payload-functions.js';

serveCalls({ ...new PayloadFunctions() });
