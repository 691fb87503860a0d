import { Type, type Static } from '@sinclair/typebox';
import { exportFormat, exportFrom } from '../api/projects/export.js';
import { projectName } from '../api/projects/project.js';
import { defineRoute } from '../route.js';
import { BODY_BYTES, orNull, projectId, readonlyList } from './fields.js';

const cursor = (description: string) =>
  orNull(Type.String({ description, examples: ['65c13dbbd65fb876b7886cdb'], maxLength: 200 }));

const exportedProject = Type.Object(
  { projectId: projectId(), projectName: projectName(), format: exportFormat(), from: exportFrom() },
  { description: 'A project whose events are exported to an object store.' },
);
export type ExportedProject = Readonly<Static<typeof exportedProject>>;

/** Some of the projects whose events are exported. */
export interface ExportPage {
  readonly projects: readonly ExportedProject[];
  /** The `after` of the next page; null on the last one. */
  readonly next: string | null;
}

export const listExports = defineRoute({
  operation: 'listExports',
  method: 'POST',
  path: '/internal/v1/projects/exports',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Read which of the projects that the data plane serves are exported to an object store, in pages',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: Type.Object({ after: cursor('The `next` of the previous page; null for the first one.') }),
  response: Type.Object({
    projects: readonlyList(exportedProject, 'Projects whose events are exported.', []),
    next: cursor('The `after` of the next page; null on the last one.'),
  }),
});
