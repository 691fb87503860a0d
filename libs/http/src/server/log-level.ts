import type { IncomingMessage, ServerResponse } from 'node:http';
import { validationError } from '@assay/errors';
import { LOG_LEVELS, type LogLevel, type TemporaryLogLevel } from '@assay/runtime';
import { requireJson } from '../body/content-type.js';
import { readBody } from '../body/read-body.js';
import { parseJson } from '../json/parse-json.js';
import { requestIdOf } from '../request/request-context.js';
import { errorResponse, toAppError } from '../response/error-response.js';
import { JSON_TYPE, type WireResponse } from '../response/response.js';
import { ByteBudget } from '../scheduling/byte-budget.js';

const MAX_SECONDS = 3_600;
/** Of a body, and of all bodies that arrive at a time. */
const MAX_BODY_BYTES = 1_024;
const MAX_BYTES = 65_536;

interface LevelChange {
  readonly level: LogLevel;
  readonly seconds: number;
}

/** Serves `/log-level` of the admin port. */
export interface LogLevelRoute {
  read(): WireResponse;
  /** Takes `{level, seconds}`: the level holds for at most an hour, so that a forgotten change ends. */
  change(request: IncomingMessage, response: ServerResponse): Promise<WireResponse>;
}

export function makeLogLevelRoute(logLevel: TemporaryLogLevel): LogLevelRoute {
  const budget = new ByteBudget({ maxBytes: MAX_BYTES, projectShare: 1 });
  const read = () => ({ status: 200, contentType: JSON_TYPE, body: JSON.stringify(logLevel.state) });
  return {
    read,
    change: async (request, response) => {
      const grant = budget.open('');
      try {
        requireJson(request.headers['content-type']);
        const onAccepted = () => {
          if (request.headers.expect !== undefined) response.writeContinue();
        };
        const bytes = await readBody(request, grant, { maxBytes: MAX_BODY_BYTES, onAccepted });
        const { level, seconds } = readChange(parseJson(bytes));
        logLevel.set(level, seconds);
        return read();
      } catch (error) {
        return errorResponse(toAppError(error), { requestId: requestIdOf(request.headers) });
      } finally {
        grant.release();
      }
    },
  };
}

/** @throws AppError `VALIDATION_ERROR` that names the field */
function readChange(body: unknown): LevelChange {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw validationError('body must be an object with level and seconds');
  const { level: sentLevel, seconds, ...others } = body as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) throw validationError('body has a field besides level and seconds');
  const level = LOG_LEVELS.find((one) => one === sentLevel);
  if (level === undefined) throw validationError(`level must be one of ${LOG_LEVELS.join(', ')}`);
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SECONDS)
    throw validationError(`seconds must be an integer from 1 to ${MAX_SECONDS}`);
  return { level, seconds };
}
