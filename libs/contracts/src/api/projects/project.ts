import { Type, type Static } from '@sinclair/typebox';
import { choice, text } from '../../schema/fields.js';
import { ingestLimits } from '../../schema/ingest-limits.js';
import { projectExport } from './export.js';
import { projectKeepReferenced, projectRetention } from './retention.js';

export const PROJECT_TYPES = ['evaluation', 'completion'] as const;
export type ProjectType = (typeof PROJECT_TYPES)[number];

export const projectName = () =>
  text('Name of the project, unique in the deployment.', 'support-bot', { minLength: 1, maxLength: 200 });
export const projectDescription = () =>
  text('Description of the project.', 'Answers of the support bot', { maxLength: 1000 });
export const projectType = () => choice<ProjectType>(PROJECT_TYPES, 'Kind of project.', 'evaluation');

export const projectLimits = () =>
  ingestLimits('project', 'A limit that is not named is that of the installation.');

export const projectProperties = {
  id: text('Id of the project.', '65c13dbbd65fb876b7886cdb'),
  name: projectName(),
  description: projectDescription(),
  type: Type.Optional(projectType()),
  retention: Type.Optional(projectRetention()),
  keep_referenced: Type.Optional(projectKeepReferenced()),
  limits: Type.Optional(projectLimits()),
  export: Type.Optional(projectExport()),
  org_id: text('Id of the organisation that the project belongs to.', 'default'),
  created_at: text('Time of creation.', '2026-11-01T00:00:00.000Z'),
  updated_at: text('Time of the last change.', '2026-11-01T00:00:00.000Z'),
};

export const projectResponse = Type.Object(projectProperties, {
  $id: 'Project',
  description: 'A project: the scope of events, resources and keys.',
});
export type ProjectResponse = Static<typeof projectResponse>;
