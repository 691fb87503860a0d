import { Type, type Static } from '@sinclair/typebox';
import { listRunsQuery, runPagination, type ListRunsQuery } from '../api/runs/list-runs.js';
import { runId } from '../api/runs/run.js';
import { defineRoute } from '../route.js';
import { BODY_BYTES, projectId, readonlyList } from './fields.js';

/** Sessions that the runs of a page list, over all runs: more are not returned. */
export const MAX_LISTED_SESSIONS = 5_000;

/** Which page of the runs of a project to list. */
export interface RunPageQuery extends Readonly<ListRunsQuery> {
  readonly projectId: string;
}

const links = Type.Object(
  {
    runId: runId(),
    sessionIds: readonlyList(Type.String(), 'Sessions that the run lists, the first ones of many.', []),
  },
  { description: 'A run with the sessions that it lists.' },
);

/** A page of runs, by their ids. */
export interface RunLinksPage {
  readonly links: readonly Static<typeof links>[];
  readonly pagination: Static<typeof runPagination>;
}

export const readRunLinks = defineRoute({
  operation: 'readRunLinks',
  method: 'POST',
  path: '/internal/v1/runs/list',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'List a page of runs by their ids',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: Type.Object({ projectId: projectId(), ...listRunsQuery.properties }),
  response: Type.Object({
    links: readonlyList(links, 'The runs of the page, in the order of the list.', []),
    pagination: runPagination,
  }),
});
