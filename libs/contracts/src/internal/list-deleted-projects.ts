import { Type } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { BODY_BYTES, textItems } from './fields.js';

const EXAMPLE = ['65c13dbbd65fb876b7886cdb'];

export const listDeletedProjects = defineRoute({
  operation: 'listDeletedProjects',
  method: 'POST',
  path: '/internal/v1/projects/deleted',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Find out which of these projects were deleted, so that the data plane removes their events',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: Type.Object({ projectIds: textItems('Ids of projects that the data plane holds data of.', EXAMPLE) }),
  response: Type.Object({
    deleted: textItems('Those that were deleted; unknown projects are not among them.', EXAMPLE),
  }),
});
