import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { requiredPermissions, requiredRole, ROUTES, type Route } from '@assay/contracts';
import {
  ADMINISTRATOR_ROLES,
  administratorIdIn,
  administratorToken,
  includesRole,
  PERMISSIONS,
  type Administrator,
  type AdministratorRole,
  type Caller,
  type Permission,
} from '@assay/domain';
import { ByteBudget } from '../scheduling/byte-budget.js';
import { jsonResponse } from '../response/response.js';
import { createApp } from '../server/create-app.js';
import { decodePrincipal, encodePrincipal } from './internal-headers.js';

const ADMIN_TOKEN = 'admin-token';
const UNRESTRICTED = 'unrestricted-key';

/** Sets of permissions: none that is known, each alone, all but one, and all. */
const SETS: readonly (readonly string[])[] = [
  ['unknown', 'events', 'events:*'],
  ...PERMISSIONS.map((permission) => [permission]),
  ...PERMISSIONS.map((permission) => PERMISSIONS.filter((other) => other !== permission)),
  PERMISSIONS,
];

/** Whether a key with these permissions has the required one: deleting events is part of writing them. */
function has(permissions: readonly string[], required: Permission): boolean {
  const isPart = required === 'events:delete' && permissions.includes('events:write');
  return isPart || permissions.includes(required);
}

/** Whom a key belongs to: the text of a restricted key is the list of its permissions. */
function callerOf(key: string): Caller {
  const caller = { projectId: 'p1', projectName: 'bot', keyId: 'k1', scope: 'project' } as const;
  return key === UNRESTRICTED ? caller : { ...caller, permissions: key.split(',') };
}

/** An administrator with this role, whose id is the role. */
function administratorOf(role: AdministratorRole): Administrator {
  return { administrator: true, id: role.padEnd(24, '0'), name: role, role };
}

const tokenOf = (role: AdministratorRole) => administratorToken(role.padEnd(24, '0'), 's'.repeat(58));

function roleOf(token: string): AdministratorRole | undefined {
  return ADMINISTRATOR_ROLES.find((role) => role.padEnd(24, '0') === administratorIdIn(token));
}

describe('a key with permissions, or the token', () => {
  let server: Server;
  let port: number;
  // Thousands of requests: an agent of `node:http` costs a fraction of what `fetch` does.
  const agent = new Agent({ keepAlive: true });
  beforeAll(async () => {
    const bindings = ROUTES.map((route) => ({
      route,
      handle: () => Promise.resolve(jsonResponse({})),
    }));
    server = createServer(
      { keepAliveTimeout: 0 },
      createApp({
        bindings,
        authenticator: {
          authenticate: (key) => Promise.resolve(callerOf(key)),
          authenticateAdministrator: (token) => {
            const role = roleOf(token);
            return Promise.resolve(role && administratorOf(role));
          },
        },
        adminToken: ADMIN_TOKEN,
        budget: new ByteBudget(),
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const send = async (route: Route, path: string, key: string) => {
    const url = path.replace(/\{\w+\}/g, '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e');
    const headers = { authorization: `Bearer ${key}` };
    const sent = request({ agent, host: '127.0.0.1', port, path: url, method: route.method, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, message: await text(response) };
  };

  it.each(
    ROUTES.flatMap((route) =>
      [route.path, ...(route.aliases ?? [])].map((path) => ({
        name: `${route.method} ${path}`,
        route,
        path,
      })),
    ),
  )('may call $name exactly with those of the route', async ({ route, path }) => {
    expect((await send(route, path, UNRESTRICTED)).status).toBe(route.access === 'admin' ? 403 : 200);
    if (route.access === 'admin' || route.access === 'admin-or-project')
      expect((await send(route, path, ADMIN_TOKEN)).status).toBe(200);
    const required = requiredPermissions(route);
    for (const permissions of SETS) {
      const isAllowed = route.access !== 'admin' && required?.every((one) => has(permissions, one)) === true;
      const { status, message } = await send(route, path, permissions.join(','));
      expect([permissions, status]).toEqual([permissions, isAllowed ? 200 : 403]);
      if (!isAllowed && route.access !== 'admin')
        expect(message).toContain(`lacks the permission ${required?.find((one) => !has(permissions, one))}`);
    }
  });

  it.each(ROUTES.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
    'of an administrator may call $name exactly with the role of the route',
    async ({ route }) => {
      const isAdministrative = route.access === 'admin' || route.access === 'admin-or-project';
      for (const role of ADMINISTRATOR_ROLES) {
        const isAllowed = isAdministrative && includesRole(role, requiredRole(route));
        const expected = isAllowed || route.access === 'public' ? 200 : 403;
        expect([role, (await send(route, route.path, tokenOf(role))).status]).toEqual([role, expected]);
      }
    },
  );

  it('keeps them when a data plane forwards the caller', () => {
    for (const key of ['events:read', 'events:read,runs:write', 'unknown', UNRESTRICTED])
      expect(decodePrincipal(encodePrincipal(callerOf(key)))).toEqual(callerOf(key));
    for (const role of ADMINISTRATOR_ROLES)
      expect(decodePrincipal(encodePrincipal(administratorOf(role)))).toEqual(administratorOf(role));
    for (const part of [{ role: 'owner' }, { id: 1 }, { name: null }])
      expect(
        decodePrincipal(
          encodePrincipal({ ...administratorOf('viewer'), ...part } as unknown as Administrator),
        ),
      ).toBeUndefined();
    const broken = { ...callerOf(UNRESTRICTED), permissions: 'events:read' as unknown as string[] };
    expect(decodePrincipal(encodePrincipal(broken))).toBeUndefined();
  });
});
