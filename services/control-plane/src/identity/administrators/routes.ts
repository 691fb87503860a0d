import { createAdministrator, deleteAdministrator, listAdministrators } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeCreateAdministrator, type AdministratorDeps } from './create-administrator.js';
import { makeDeleteAdministrator } from './delete-administrator.js';
import { makeListAdministrators } from './list-administrators.js';

export function administratorRoutes(deps: AdministratorDeps): Binding[] {
  return [
    bind(listAdministrators, makeListAdministrators(deps)),
    bind(createAdministrator, makeCreateAdministrator(deps)),
    bind(deleteAdministrator, makeDeleteAdministrator(deps)),
  ];
}
