import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { text, textOrNull } from '../schema/fields.js';
import { caller } from './authenticate-key.js';
import { BODY_BYTES, orNull, readonlyList } from './fields.js';

const ROUTE = { method: 'POST', owner: 'control-plane', access: 'data-plane', tag: 'Internal' } as const;
const LIMITS = { maxBodyBytes: BODY_BYTES.oneResource };
/** Why a person is not signed in. */
const PROBLEMS = ['unreachable', 'refused', 'no_access', 'too_many_groups'] as const;

const signInProvider = Type.Object(
  {
    authorizationEndpoint: textOrNull(
      'Address at which people sign in; null: the provider cannot be reached.',
      'https://login.example.com/auth',
    ),
    clientId: text('Client of the console.', 'assay'),
    scope: text('Scopes that the console asks for.', 'openid profile email'),
  },
  { description: 'The identity provider that the console signs in with.' },
);
export type SignInProvider = Readonly<Static<typeof signInProvider>>;

export const getSignInProvider = defineRoute({
  ...ROUTE,
  ...{ operation: 'getSignInProvider', path: '/internal/v1/people/provider', limits: LIMITS },
  summary: 'Where people sign in with the identity provider; null where they do not',
  readOnly: true,
  body: Type.Object({}),
  response: Type.Object({ provider: orNull(signInProvider) }),
});

const completedSignIn = Type.Object({
  session: orNull(
    Type.Object(
      {
        token: text('States the person; accepted in place of a key.', 'eyJ...'),
        name: text('Name of the person.', 'ada@example.com'),
        expiresAt: text('When the session ends, ISO 8601.', '2027-11-01T00:00:00.000Z'),
      },
      { description: 'The session of the person.' },
    ),
  ),
  problem: Type.Unsafe<(typeof PROBLEMS)[number] | null>({
    type: ['string', 'null'],
    enum: [...PROBLEMS, null],
    description: 'Why the person is not signed in.',
    examples: [null],
  }),
});
/** The session of a person who has signed in, or why there is none. */
export type CompletedSignIn = Readonly<Static<typeof completedSignIn>>;

const returnedCode = Type.Object({
  code: text('The code that the provider has sent the browser back with.', 'SplxlOBeZQQYbYS6WxSbIA'),
  verifier: text('The PKCE verifier.', 'Zm9vYmFy...'),
  nonce: text('The nonce of the request.', 'n-0S6_WzA2Mj'),
  redirectUri: text('The address that the browser was sent back to.', 'https://assay.example.com/console/'),
  issuer: textOrNull('The issuer that the provider states beside the code; null: none.', null),
});
/** A code that the provider has sent a browser back with, and what proves that this installation has begun the sign-in. */
export type ReturnedCode = Readonly<Static<typeof returnedCode>>;

export const completeSignIn = defineRoute({
  ...ROUTE,
  ...{ operation: 'completeSignIn', path: '/internal/v1/people/session', limits: LIMITS },
  summary: 'Exchange the code of the identity provider for a session',
  body: returnedCode,
  response: completedSignIn,
});

export const listProjectsOfPerson = defineRoute({
  ...ROUTE,
  ...{ operation: 'listProjectsOfPerson', path: '/internal/v1/people/projects', limits: LIMITS },
  summary: 'The person of a session as the caller of each project; none when the session has ended',
  readOnly: true,
  body: Type.Object({ session: text('The token of the session.', 'eyJ...') }),
  response: Type.Object({
    callers: readonlyList(caller, 'The person, in each project.', [], { maxItems: 1_000 }),
  }),
});
