import { Type, type Static } from '@sinclair/typebox';
import { projectKeepReferenced, projectRetention } from '../api/projects/retention.js';
import { defineRoute } from '../route.js';
import { BODY_BYTES, orNull, projectId, readonlyList } from './fields.js';

const cursor = (description: string) =>
  orNull(Type.String({ description, examples: ['65c13dbbd65fb876b7886cdb'], maxLength: 200 }));

const projectRetentionRule = Type.Object(
  { projectId: projectId(), retention: projectRetention(), keepReferenced: projectKeepReferenced() },
  { description: 'How long events of a project are kept.' },
);
export type ProjectRetention = Readonly<Static<typeof projectRetentionRule>>;

/** Some of the projects with a retention, their own or that of the installation. */
export interface RetentionPage {
  readonly projects: readonly ProjectRetention[];
  /** The `after` of the next page; null on the last one. */
  readonly next: string | null;
}

export const listRetentions = defineRoute({
  operation: 'listRetentions',
  method: 'POST',
  path: '/internal/v1/projects/retentions',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Read how long events are kept, of the projects that the data plane serves, in pages',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: Type.Object({ after: cursor('The `next` of the previous page; null for the first one.') }),
  response: Type.Object({
    projects: readonlyList(projectRetentionRule, 'Projects whose events expire.', []),
    next: cursor('The `after` of the next page; null on the last one.'),
  }),
});
