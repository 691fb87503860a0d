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

const forwarded = (principal: Principal, authorization?: string, token = 'bound-to-a') => ({
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
  it('accepts the bearer token of a data plane', async () => {
    const identified = await authenticate('data-plane', { authorization: 'Bearer bound-to-a' });
    expect(identified).toEqual({ principal: undefined, dataPlane });
  });

  it.each<[string, Record<string, string>]>([
    ['no token', {}],
    ['the key of a project', { authorization: 'Bearer key-of-a' }],
    ['the token of the administrator', { authorization: 'Bearer admin-token' }],
    ['the headers of a forwarded request', forwarded(ADMINISTRATOR)],
  ])('rejects %s', async (_name, headers) => {
    expect(await codeOf('data-plane', headers)).toBe('UNAUTHORIZED');
  });
});

describe('a request that a data plane forwards', () => {
  it('is authenticated as the stated caller in a project that the data plane is bound to', async () => {
    const identified = await authenticate('project', forwarded(callerOf('a')));
    expect(identified).toEqual({ principal: callerOf('a'), dataPlane });
  });

  it.each<[string, RouteAccess, Record<string, string>, string]>([
    ['states a caller of another project', 'project', forwarded(callerOf('b')), 'FORBIDDEN'],
    ['states a caller of another project to ingest', 'ingest', forwarded(callerOf('b')), 'FORBIDDEN'],
    ['states the administrator', 'project', forwarded(ADMINISTRATOR), 'FORBIDDEN'],
    ['states the administrator on an administrative route', 'admin', forwarded(ADMINISTRATOR), 'FORBIDDEN'],
    [
      'states a caller on a route that manages keys',
      'admin-or-project',
      forwarded(callerOf('a')),
      'FORBIDDEN',
    ],
    ['states no caller', 'project', { 'assay-internal-token': 'bound-to-a' }, 'UNAUTHORIZED'],
    ['has an unknown token', 'project', forwarded(callerOf('a'), undefined, 'bound-to-z'), 'UNAUTHORIZED'],
    ['has an empty token', 'project', forwarded(callerOf('a'), undefined, ''), 'UNAUTHORIZED'],
    [
      'has an unknown client key',
      'admin-or-project',
      forwarded(callerOf('a'), 'Bearer unknown-key'),
      'UNAUTHORIZED',
    ],
    [
      'has a client key of another project',
      'admin-or-project',
      forwarded(callerOf('a'), 'Bearer key-of-b'),
      'FORBIDDEN',
    ],
    [
      'has a project key on an administrator route',
      'admin',
      forwarded(ADMINISTRATOR, 'Bearer key-of-a'),
      'FORBIDDEN',
    ],
    [
      'has the data-plane token as the client credential',
      'admin',
      forwarded(ADMINISTRATOR, 'Bearer bound-to-a'),
      'UNAUTHORIZED',
    ],
  ])('is rejected when it %s', async (_name, access, headers, code) => {
    expect(await codeOf(access, headers)).toBe(code);
  });

  it('is authenticated on administrative routes by the key or token of the client, not by the stated caller', async () => {
    expect(await codeOf('admin-or-project', forwarded(ADMINISTRATOR, 'Bearer key-of-a'))).toEqual(
      callerOf('a'),
    );
    expect(await codeOf('admin', forwarded(callerOf('a'), 'Bearer admin-token'))).toEqual(ADMINISTRATOR);
  });

  it('needs only the shared token in a single deployment', async () => {
    const single = makeBearerAuth({
      authenticator: { authenticate: () => Promise.resolve(undefined) },
      internalToken: 'shared',
    });
    const headers = forwarded(ADMINISTRATOR, undefined, 'shared');
    expect((await single('admin', headers)).principal).toEqual(ADMINISTRATOR);
  });
});

describe('the length of a credential', () => {
  const SIGNED = (length: number) => `eyJ${'a'.repeat(length - 7)}.b.c`;
  const people = makeBearerAuth({
    authenticator: {
      authenticate: () => Promise.resolve(callerOf('a')),
      authenticatePerson: () => Promise.resolve({ caller: callerOf('b'), refusal: null }),
    },
  });
  const projectOf = (token: string) =>
    people('project', { authorization: `Bearer ${token}` }).then(
      ({ principal }) => (principal as Caller).projectId,
      (error: { code: string }) => error.code,
    );

  it('is at most 4,096 characters for a key, and 16,384 for a token of an identity provider', async () => {
    expect(await projectOf('k'.repeat(4_096))).toBe('a');
    expect(await projectOf('k'.repeat(4_097))).toBe('UNAUTHORIZED');
    expect(await projectOf(SIGNED(16_384))).toBe('b');
    expect(await projectOf(SIGNED(16_385))).toBe('UNAUTHORIZED');
  });
});
