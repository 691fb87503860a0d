import type { ResponseOf, listAdministrators as route } from '@assay/contracts';
import {
  MAX_ADMINISTRATORS,
  toAdministratorResponse,
  type AdministratorCollection,
} from './administrator-document.js';

/** Lists all named administrators, including expired ones, newest first. */
export function makeListAdministrators({ administrators }: { administrators: AdministratorCollection }) {
  return async function listAdministrators(): Promise<ResponseOf<typeof route>> {
    const found = await administrators.list({
      equals: {},
      orderBy: 'created_at',
      descending: true,
      limit: MAX_ADMINISTRATORS,
    });
    return { administrators: found.map(toAdministratorResponse) };
  };
}
