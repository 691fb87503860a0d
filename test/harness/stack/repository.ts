import { join } from 'node:path';

/** Root of the repository. */
export const repository = join(__dirname, '../../..');
