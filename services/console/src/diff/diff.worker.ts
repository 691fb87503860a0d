import { serveCalls } from '../worker/serve.js';
import { DiffFunctions } from './diff-functions.js';

serveCalls({ ...new DiffFunctions() });
