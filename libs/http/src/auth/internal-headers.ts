import {
  ADMINISTRATOR,
  ADMINISTRATOR_ROLES,
  KEY_SCOPES,
  isAdministrator,
  type Administrator,
  type Caller,
  type Principal,
} from '@assay/domain';

/** Prefix of the headers between the services of a deployment. The proxy drops such headers of a client's request. */
export const INTERNAL_PREFIX = 'assay-';
/** Secret shared by the services. */
export const INTERNAL_TOKEN_HEADER = 'assay-internal-token';
/** The sender of the request, as percent-encoded JSON. Trusted only with a valid {@link INTERNAL_TOKEN_HEADER}. */
export const PRINCIPAL_HEADER = 'assay-principal';

/** IP address of the client. Trusted only with a valid {@link INTERNAL_TOKEN_HEADER}. */
export const CLIENT_ADDRESS_HEADER = 'assay-client-address';

/** Percent-encoded name of the person, as the proxy of the client states it. Trusted only with a valid {@link INTERNAL_TOKEN_HEADER}. */
export const CLIENT_IDENTITY_HEADER = 'assay-client-identity';

export function encodePrincipal(principal: Principal): string {
  if (isAdministrator(principal)) return encodeAdministrator(principal);
  const { projectId, projectName, keyId, scope, permissions } = principal;
  return encodeURIComponent(JSON.stringify({ projectId, projectName, keyId, scope, permissions }));
}

function encodeAdministrator({ administrator, id, name, role }: Administrator): string {
  return encodeURIComponent(JSON.stringify({ administrator, id, name, role }));
}

/** Reverses {@link encodePrincipal}. @returns undefined for any other text */
export function decodePrincipal(header: string | string[] | undefined): Principal | undefined {
  if (typeof header !== 'string') return undefined;
  try {
    return asPrincipal(JSON.parse(decodeURIComponent(header)));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof URIError) return undefined;
    throw error;
  }
}

function asPrincipal(value: unknown): Principal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('administrator' in value && value.administrator === true) return asAdministrator(value);
  if (!('scope' in value)) return undefined;
  const scope = KEY_SCOPES.find((known) => known === value.scope);
  if (scope === undefined || !('projectId' in value && 'projectName' in value && 'keyId' in value))
    return undefined;
  const { projectId, projectName, keyId } = value;
  if (
    typeof projectId !== 'string' ||
    typeof projectName !== 'string' ||
    typeof keyId !== 'string' ||
    projectId === ''
  )
    return undefined;
  return withPermissions({ projectId, projectName, keyId, scope }, value);
}

/** Data planes of earlier releases state the holder of their own token only, without a name. */
function asAdministrator(value: object): Administrator | undefined {
  if (!('role' in value || 'id' in value || 'name' in value)) return ADMINISTRATOR;
  if (!('role' in value && 'id' in value && 'name' in value)) return undefined;
  const { id, name } = value;
  const role = ADMINISTRATOR_ROLES.find((known) => known === value.role);
  if (role === undefined || typeof name !== 'string' || !(id === null || typeof id === 'string'))
    return undefined;
  return { administrator: true, id, name, role };
}

function withPermissions(caller: Caller, value: object): Caller | undefined {
  if (!('permissions' in value)) return caller;
  return isTextList(value.permissions) ? { ...caller, permissions: value.permissions } : undefined;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
