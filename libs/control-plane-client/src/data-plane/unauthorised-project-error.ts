import { AppError } from '@assay/errors';

/** A data plane asks or tells about projects that its token is not bound to. */
export class UnauthorisedProjectError extends AppError {
  constructor(readonly projectIds: readonly string[]) {
    super('FORBIDDEN', 'the token of this data plane is not bound to the project');
  }
}

/** @throws UnauthorisedProjectError naming the projects that the data plane may not act for */
export function requireProjects(
  dataPlane: { mayActFor(projectId: string): boolean },
  projectIds: readonly string[],
): void {
  const foreign = [...new Set(projectIds)].filter((projectId) => !dataPlane.mayActFor(projectId));
  if (foreign.length > 0) throw new UnauthorisedProjectError(foreign);
}
