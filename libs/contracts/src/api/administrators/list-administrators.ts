import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { listOf } from '../../schema/fields.js';
import { administratorResponse } from './administrator.js';

export const listAdministrators = defineRoute({
  operation: 'listAdministrators',
  method: 'GET',
  path: '/v1/administrators',
  owner: 'control-plane',
  access: 'admin',
  tag: 'Administrators',
  summary: 'List the named administrators, including expired ones, without their tokens',
  response: Type.Object({
    administrators: listOf(administratorResponse, 'The administrators, newest first, at most 1,000.'),
  }),
});
