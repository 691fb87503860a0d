import { Type } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { BODY_BYTES, projectId, readonlyList, textItems } from './fields.js';
import { checkedFilter } from './get-queue-filters.js';

const PROJECT_ID = '65c13dbbd65fb876b7886cdb';

const projectFilters = Type.Object(
  {
    projectId: projectId(),
    queues: readonlyList(
      readonlyList(checkedFilter, 'Filters of one queue, all of which an event must match.', []),
      'The queues that take events.',
      [],
    ),
  },
  { description: 'A project with queues that take events.' },
);

export const getRoutingFilters = defineRoute({
  operation: 'getRoutingFilters',
  method: 'POST',
  path: '/internal/v1/queues/routing',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Read the filters of all queues of these projects that take events',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: Type.Object({ projectIds: textItems('Ids of the projects.', [PROJECT_ID]) }),
  response: Type.Object({
    projects: readonlyList(projectFilters, 'The projects among them with such queues.', []),
  }),
});
