import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { deletionPath, deletionReceipt } from './deletion.js';

export const getDeletion = defineRoute({
  operation: 'getDeletion',
  method: 'GET',
  path: '/v1/deletions/{deletion_id}',
  owner: 'data-plane',
  access: 'project',
  tag: 'Deletions',
  summary: 'Read the receipt of a deletion',
  params: deletionPath,
  response: Type.Object({ deletion: deletionReceipt }),
});
