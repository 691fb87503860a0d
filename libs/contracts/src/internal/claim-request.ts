import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { BODY_BYTES, projectId, sha256, wholeNumber } from './fields.js';

const acceptedRequest = Type.Object(
  {
    content: sha256('SHA-256 of the content, hexadecimal.'),
    at: wholeNumber('When the request was accepted, Unix milliseconds.', 1795255200250),
  },
  { description: 'The request that is stored under the key.' },
);
export type AcceptedRequest = Readonly<Static<typeof acceptedRequest>>;

const requestClaim = Type.Object({
  projectId: projectId(),
  key: sha256('SHA-256 of the idempotency key, hexadecimal.'),
  ...acceptedRequest.properties,
});
export type RequestClaim = Readonly<Static<typeof requestClaim>>;

export const claimRequest = defineRoute({
  operation: 'claimRequest',
  method: 'POST',
  path: '/internal/v1/requests/claim',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Claim an idempotency key for a request; answers with the first request under the key',
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: requestClaim,
  response: Type.Object({ first: acceptedRequest }),
});
