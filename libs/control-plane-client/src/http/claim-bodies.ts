import { isJsonObject } from '@assay/domain';
import { unavailable, validationError } from '@assay/errors';
import type { AcceptedRequest, RequestClaim } from '../control-plane.js';

const SHA_256 = /^[0-9a-f]{64}$/;

/** Reads a claim as it was sent. @throws AppError `VALIDATION_ERROR` */
export function readClaim(body: unknown): RequestClaim {
  const { projectId, key } = isJsonObject(body) ? body : {};
  if (typeof projectId === 'string' && isHash(key) && isAccepted(body))
    return { projectId, key, content: body.content, at: body.at };
  throw validationError('body must be an object with projectId, key, content and at');
}

/** Reads an answer: `{first}`. @throws AppError `UNAVAILABLE` for one of another shape */
export function readFirst(answer: unknown): AcceptedRequest {
  const first: unknown = isJsonObject(answer) ? answer.first : undefined;
  if (!isAccepted(first)) throw unavailable('the control plane has not answered which request came first');
  return { content: first.content, at: first.at };
}

function isAccepted(value: unknown): value is AcceptedRequest {
  return (
    isJsonObject(value) && isHash(value.content) && Number.isSafeInteger(value.at) && Number(value.at) >= 0
  );
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && SHA_256.test(value);
}
