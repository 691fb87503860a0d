import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { uuid } from '../../schema/fields.js';
import { dateRange } from '../events/date-range.js';
import { eventSchemaResponse } from '../events/event-schema.js';
import { runPath } from './run.js';

export const getRunsSchema = defineRoute({
  operation: 'getRunsSchema',
  method: 'GET',
  path: '/v1/runs/schema',
  aliases: ['/runs/schema'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'List the fields that events of runs have',
  query: Type.Object({
    dateRange: Type.Optional(dateRange),
    evaluation_id: Type.Optional(uuid('Only events of this experiment run.')),
  }),
  response: eventSchemaResponse,
});

export const getRunSchema = defineRoute({
  operation: 'getRunSchema',
  method: 'GET',
  path: '/v1/runs/{run_id}/schema',
  aliases: ['/runs/{run_id}/schema'],
  describedAliases: ['/runs/{run_id}/schema'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'List the fields that events of a run have',
  params: runPath,
  query: Type.Object({ dateRange: Type.Optional(dateRange) }),
  response: eventSchemaResponse,
});
