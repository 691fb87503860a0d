import { status, type Metadata, type StatusObject } from '@grpc/grpc-js';
import type { AppError } from '@assay/errors';
import { rpcStatus } from '@assay/otlp';
import { retryAfterSeconds } from '../response/error-response.js';

/** Returns the status of a failed call. One that the client may send again says when, as `google.rpc.RetryInfo`. */
export function callStatus(error: AppError, trailers: Metadata): StatusObject {
  const { code, message, details } = rpcStatus(error, retryAfterSeconds(error));
  const metadata = trailers.clone();
  const { acceptEncoding } = error.details;
  if (acceptEncoding !== undefined)
    metadata.set('grpc-accept-encoding', String(acceptEncoding).replaceAll(' ', ''));
  if (details) metadata.set('grpc-status-details-bin', details);
  return {
    // The only media type of a call is its compression, for which gRPC has a code of its own.
    code: error.code === 'UNSUPPORTED_MEDIA_TYPE' ? status.UNIMPLEMENTED : code,
    details: message.replace(/[^\x20-\x7e]/g, '?'),
    metadata,
  };
}
