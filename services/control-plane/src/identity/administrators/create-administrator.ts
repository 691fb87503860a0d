import type { CreateAdministratorRequest, ResponseOf, createAdministrator as route } from '@assay/contracts';
import { ADMINISTRATOR, administratorToken, isAdministrator } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { Audit } from '../../audit/audit.js';
import { futureTime } from '../../shared/future-time.js';
import type { RequestActor } from '../../shared/operation-context.js';
import { randomText } from '../../shared/random-text.js';
import type { HashKey } from '../keys/hash-key.js';
import { trimmedName } from '../projects/project-document.js';
import {
  MAX_ADMINISTRATORS,
  isExpired,
  toAdministratorResponse,
  type AdministratorCollection,
} from './administrator-document.js';

const ID_LENGTH = 24;
const SECRET_LENGTH = 58;

export interface AdministratorDeps {
  readonly administrators: AdministratorCollection;
  readonly hashKey: HashKey;
  readonly audit: Audit;
  readonly now: () => Date;
}

/**
 * Creates a named administrator and returns the token, which is never shown again. It expires no later than that of the creator.
 * @throws AppError `VALIDATION_ERROR` for a blank or reserved name and an expiry that is not in the future, `CONFLICT` if the name is taken or
 * the maximum number exists, `FORBIDDEN` for a later expiry than the creator's, `UNAUTHORIZED` if the creator was deleted
 */
export function makeCreateAdministrator(deps: AdministratorDeps) {
  return async function createAdministrator(
    { body }: { body: CreateAdministratorRequest },
    actor: RequestActor,
  ): Promise<ResponseOf<typeof route>> {
    const name = freeName(body.name);
    const expires_at = await expiryOf(deps, body.expires_at, actor);
    if ((await deps.administrators.count({})) >= MAX_ADMINISTRATORS)
      throw new AppError('CONFLICT', `there are ${MAX_ADMINISTRATORS} administrators, which is the maximum`);
    const id = randomText(ID_LENGTH);
    const token = administratorToken(id, randomText(SECRET_LENGTH));
    const fields = { name, role: body.role, hash: deps.hashKey(token) };
    const record = await insertNamed(deps, id, {
      ...fields,
      ...{ created_at: deps.now().toISOString(), expires_at },
    });
    await deps.audit(
      {
        ...{ action: 'administrator.created', projectId: null, subjectId: id },
        fields: Object.keys(body),
      },
      actor,
    );
    return { administrator: toAdministratorResponse(record), token };
  };
}

/** @throws AppError `VALIDATION_ERROR` */
function freeName(sent: string): string {
  const name = trimmedName(sent);
  if (name.toLowerCase() === ADMINISTRATOR.name)
    throw validationError(`name must not be ${ADMINISTRATOR.name}, which is that of the configured token`);
  return name;
}

/** @throws AppError */
async function expiryOf(
  { administrators, now }: AdministratorDeps,
  asked: string | undefined,
  { caller }: RequestActor,
): Promise<string | null> {
  const expiry = asked === undefined ? null : futureTime(asked, 'expires_at', now());
  if (!isAdministrator(caller) || caller.id === null) return expiry;
  const creator = await administrators.get(caller.id);
  // A process may know the administrator for some time after the token was revoked.
  if (creator === undefined || isExpired(creator, now()))
    throw new AppError('UNAUTHORIZED', 'the token of the request was revoked or has expired');
  const { expires_at: latest } = creator;
  if (latest !== null && expiry !== null && expiry > latest)
    throw new AppError('FORBIDDEN', 'expires_at must not be later than that of your own token');
  return expiry ?? latest;
}

async function insertNamed(
  { administrators }: AdministratorDeps,
  ...[id, fields]: Parameters<AdministratorCollection['insert']>
) {
  try {
    return await administrators.insert(id, fields);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'CONFLICT') throw cause;
    throw new AppError('CONFLICT', 'another administrator has this name', { cause });
  }
}
