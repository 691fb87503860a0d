import type { Caller, Principal } from '@assay/domain';
import { ADMINISTRATOR } from '@assay/domain';
import type { RouteAccess } from '@assay/contracts';
import { makeBearerAuth } from './bearer-auth.js';
import { encodePrincipal } from './internal-headers.js';

const callerOf = (projectId: string, scope: Caller['scope'] = 'project'): Caller => ({
  projectId,
  projectName: 'n',
  keyId: 'k',
  scope,
});
const keys = new Map([
  ['key-of-a', callerOf('a')],
  ['key-of-b', callerOf('b')],
]);
const dataPlane = {
  id: 'dp1',
  mayActFor: (projectId: string) => projectId === 'a',
  vouchesForAdministration: false,
};
const authenticate = makeBearerAuth({
  authenticator: { authenticate: (key) => Promise.resolve(keys.get(key)) },
  adminToken: 'admin-token',
  identifyDataPlane: (token) => Promise.resolve(token === 'bound-to-a' ? dataPlane : undefined),
});

const passedOn = (principal: Principal, authorization?: string, token = 'bound-to-a') => ({
  'assay-internal-token': token,
  'assay-principal': encodePrincipal(principal),
  ...(authorization !== undefined && { authorization }),
});
const codeOf = (access: RouteAccess, headers: Record<string, string>) =>
  authenticate(access, headers).then(
    ({ principal }) => principal,
    (error: { code: string }) => error.code,
  );

describe('a route of data planes', () => {
  it('is opened by the token of a data plane, as the bearer token', async () => {
    const identified = await authenticate('data-plane', { authorization: 'Bearer bound-to-a' });
    expect(identified).toEqual({ principal: undefined, dataPlane });
  });

  it.each<[string, Record<string, string>]>([
    ['no token', {}],
    ['the key of a project', { authorization: 'Bearer key-of-a' }],
    ['the token of the administrator', { authorization: 'Bearer admin-token' }],
    ['the headers of a forwarded request', passedOn(ADMINISTRATOR)],
  ])('is not opened by %s', async (_name, headers) => {
    expect(await codeOf('data-plane', headers)).toBe('UNAUTHORIZED');
  });
});

describe('a request that a data plane passes on', () => {
  it('is that of the caller it names, in a project that it is bound to', async () => {
    const identified = await authenticate('project', passedOn(callerOf('a')));
    expect(identified).toEqual({ principal: callerOf('a'), dataPlane });
  });

  it.each<[string, RouteAccess, Record<string, string>, string]>([
    ['names another project', 'project', passedOn(callerOf('b')), 'FORBIDDEN'],
    ['names another project to ingest', 'ingest', passedOn(callerOf('b')), 'FORBIDDEN'],
    ['names the administrator', 'project', passedOn(ADMINISTRATOR), 'FORBIDDEN'],
    ['names the administrator for administration', 'admin', passedOn(ADMINISTRATOR), 'FORBIDDEN'],
    ['names a key for the management of keys', 'admin-or-project', passedOn(callerOf('a')), 'FORBIDDEN'],
    ['names nobody', 'project', { 'assay-internal-token': 'bound-to-a' }, 'UNAUTHORIZED'],
    ['has a token of nobody', 'project', passedOn(callerOf('a'), undefined, 'bound-to-z'), 'UNAUTHORIZED'],
    ['has an empty token', 'project', passedOn(callerOf('a'), undefined, ''), 'UNAUTHORIZED'],
    [
      'brings a key that nobody knows',
      'admin-or-project',
      passedOn(callerOf('a'), 'Bearer unknown-key'),
      'UNAUTHORIZED',
    ],
    [
      'brings a key of another project',
      'admin-or-project',
      passedOn(callerOf('a'), 'Bearer key-of-b'),
      'FORBIDDEN',
    ],
    [
      'brings a project key for what is the administrator’s',
      'admin',
      passedOn(ADMINISTRATOR, 'Bearer key-of-a'),
      'FORBIDDEN',
    ],
    [
      'brings its own token as the client’s',
      'admin',
      passedOn(ADMINISTRATOR, 'Bearer bound-to-a'),
      'UNAUTHORIZED',
    ],
  ])('is refused when it %s', async (_name, access, headers, code) => {
    expect(await codeOf(access, headers)).toBe(code);
  });

  it('administers with the key or token that the client has sent, whoever is named', async () => {
    expect(await codeOf('admin-or-project', passedOn(ADMINISTRATOR, 'Bearer key-of-a'))).toEqual(
      callerOf('a'),
    );
    expect(await codeOf('admin', passedOn(callerOf('a'), 'Bearer admin-token'))).toEqual(ADMINISTRATOR);
  });

  it('needs no more than the one token in a single deployment', async () => {
    const single = makeBearerAuth({
      authenticator: { authenticate: () => Promise.resolve(undefined) },
      internalToken: 'shared',
    });
    const headers = passedOn(ADMINISTRATOR, undefined, 'shared');
    expect((await single('admin', headers)).principal).toEqual(ADMINISTRATOR);
  });
});
