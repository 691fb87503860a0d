import { env } from 'node:process';

/**
 * How many times longer than on an idle machine tests wait before they fail: `TEST_PATIENCE`, 1 when absent. It changes no setting of
 * the product and no measured time.
 */
export const patience = Number(env.TEST_PATIENCE ?? 1);
if (!(patience >= 1)) throw new Error('TEST_PATIENCE must be a number from 1');
