import type { IncomingMessage, ServerResponse } from 'node:http';
import { requireJson } from '../body/content-type.js';
import { readBody } from '../body/read-body.js';
import { parseJson } from '../json/parse-json.js';
import type { ByteBudget } from '../scheduling/byte-budget.js';

const MAX_BODY_BYTES = 16_384;

/** Returns the JSON of a request about the session. @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `VALIDATION_ERROR` */
export async function readSmallJson(
  request: IncomingMessage,
  response: ServerResponse,
  budget: ByteBudget,
): Promise<unknown> {
  requireJson(request.headers['content-type']);
  const grant = budget.open('');
  try {
    const onAccepted = () => {
      if (request.headers.expect !== undefined) response.writeContinue();
      delete request.headers.expect;
    };
    return parseJson(await readBody(request, grant, { maxBytes: MAX_BODY_BYTES, onAccepted }));
  } finally {
    grant.release();
  }
}
