import { AppError, unavailable } from '@assay/errors';
import { isJsonObject, KEY_SCOPES, type Caller } from '@assay/domain';

/** An answer of the control plane, whatever it holds. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** An id or name is never longer. */
const MAX_TEXT = 1_000;
/** Answers by which the control plane says that it will never take this. Anybody on the way may send the status, so the code counts. */
const FINAL_CODES = ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'] as const;

/** The body of an answer as text. @throws Error when it is larger than `maxBytes` after decompression: the rest is not read */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The body of an answer of 200. @throws AppError `FORBIDDEN` when the token is not bound to the project, `UNAVAILABLE` for any other answer */
export function succeeded({ status, body }: Reply): unknown {
  if (unauthorisedProjects({ status, body }).length > 0)
    throw new AppError('FORBIDDEN', 'this data plane may not act for the project');
  return taken({ status, body });
}

function taken({ status, body }: Reply): unknown {
  if (status === 200) return body;
  throw unavailable(
    'the control plane cannot be asked',
    new Error(`the control plane has answered with status ${status}`),
  );
}

/** The projects that the token of this data plane is not bound to, by a refusal that says so. */
export function unauthorisedProjects({ status, body }: Reply): readonly string[] {
  if (
    status !== 403 ||
    !isJsonObject(body) ||
    body.errorCode !== 'FORBIDDEN' ||
    !Array.isArray(body.projectIds)
  )
    return [];
  return body.projectIds.filter((id) => typeof id === 'string');
}

/** Whether so many events were kept. @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`: never; `UNAVAILABLE`: unknown */
export function checkKept(reply: Reply, events: number): void {
  refuseFinal(reply, 'the control plane does not take one of these events');
  const body = taken(reply);
  // Only an answer that counts the events comes from a control plane that has kept them.
  const kept: unknown = isJsonObject(body) ? body.kept : undefined;
  if (kept !== events) throw unavailable('the control plane has not answered how many events it has kept');
}

/** @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE` when the control plane will never take what it was sent */
export function refuseFinal(reply: Reply, message: string): void {
  const code = finalCode(reply);
  if (code) throw new AppError(code, message);
}

function finalCode({ status, body }: Reply): (typeof FINAL_CODES)[number] | undefined {
  if (status === 200 || !isJsonObject(body)) return undefined;
  return FINAL_CODES.find((code) => code === body.errorCode);
}

/**
 * Reads `{caller}`, null when nobody has the key. An answer of another shape comes from something that is not our control plane: it must not
 * count as "unknown key". @throws AppError `UNAVAILABLE`
 */
export function readCaller(answer: unknown, serves: (projectId: string) => boolean): Caller | undefined {
  if (!isJsonObject(answer) || !Object.hasOwn(answer, 'caller')) throw notTheControlPlane();
  const found: unknown = answer.caller;
  if (found === null) return undefined;
  if (!isCaller(found)) throw notTheControlPlane();
  const { projectId, projectName, keyId, scope } = found;
  if (!serves(projectId))
    throw unavailable('the control plane has answered with a project that this data plane does not serve');
  return { projectId, projectName, keyId, scope };
}

export function isCaller(value: unknown): value is Caller {
  if (typeof value !== 'object' || value === null) return false;
  const { projectId, projectName, keyId, scope } = value as Record<string, unknown>;
  return [projectId, projectName, keyId].every(isShortText) && KEY_SCOPES.some((one) => one === scope);
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
}

function notTheControlPlane(): AppError {
  return unavailable('the control plane has answered something else than a caller');
}
