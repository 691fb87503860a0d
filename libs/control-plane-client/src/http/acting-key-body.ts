import { isJsonObject } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { ActingKey } from '../control-plane.js';

/** Reads who acts, as the data plane says under `by`. @throws AppError `VALIDATION_ERROR` */
export function readActingKey(body: unknown): ActingKey {
  const by = isJsonObject(body) && isJsonObject(body.by) ? body.by : {};
  const { keyId, requestId, address } = by;
  if (typeof keyId !== 'string' || typeof requestId !== 'string' || typeof address !== 'string') {
    throw validationError('body must be an object with by, which has keyId, requestId and address');
  }
  return { keyId, requestId, address };
}
