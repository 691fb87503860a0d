import { randomBytes } from 'node:crypto';
import type { CreateProjectRequest } from '@assay/contracts';
import type { ProjectFields } from './project-document.js';
import { trimmedName } from './project-name.js';

/** @throws AppError `VALIDATION_ERROR` when the name is blank */
export function newProject({ name, description, type }: CreateProjectRequest, now: Date): ProjectFields {
  const createdAt = now.toISOString();
  return { name: trimmedName(name), description, type, created_at: createdAt, updated_at: createdAt };
}

/** 24 hexadecimal digits, 96 random bits. */
export function newProjectId(): string {
  return randomBytes(12).toString('hex');
}
