import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { choice, text, textOrNull } from '../schema/fields.js';
import { caller } from './authenticate-key.js';
import { orNull } from './fields.js';

/** Headers of a request are at most half as large. */
const BODY_BYTES = 32_768;

const REFUSALS = ['UNAUTHORIZED', 'FORBIDDEN', 'VALIDATION_ERROR'] as const;

const refusal = Type.Object(
  {
    code: choice(REFUSALS, 'Code of the error.', 'UNAUTHORIZED'),
    message: text('What is wrong, without parts of the token.', 'the token has expired'),
  },
  { description: 'Why the person may not call.' },
);

const personOutcome = Type.Object({ caller: orNull(caller), refusal: orNull(refusal) });
/** Whom a token of the identity provider belongs to, or why it is refused; neither where no provider is configured. */
export type PersonOutcome = Readonly<Static<typeof personOutcome>>;

export const authenticatePerson = defineRoute({
  operation: 'authenticatePerson',
  method: 'POST',
  path: '/internal/v1/people/authenticate',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Verify a token of the identity provider, and choose a project of the person',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES },
  body: Type.Object({
    token: text('The token itself.', 'eyJ...'),
    projectId: textOrNull('The project that the request names; null: none.', null),
  }),
  response: personOutcome,
});
