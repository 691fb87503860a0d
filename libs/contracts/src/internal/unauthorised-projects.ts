import { Type, type Static } from '@sinclair/typebox';
import { AppError } from '@assay/errors';
import { toErrorBody } from '../error-body.js';
import { text, textList } from '../schema/fields.js';

/** The part that the data plane reads of any response that is not a success. */
export const internalError = Type.Object({
  errorCode: text('Code of the error.', 'FORBIDDEN'),
  projectIds: Type.Optional(textList('The projects of the request that the token is not bound to.', [])),
});
export type InternalError = Static<typeof internalError>;

/** The body of a 403: an error body with the projects of the request that the token is not bound to. */
export function unauthorisedProjectsBody(projectIds: readonly string[], requestId: string) {
  const error = new AppError('FORBIDDEN', 'the token of this data plane is not bound to the project');
  return { ...toErrorBody(error, requestId), projectIds };
}
