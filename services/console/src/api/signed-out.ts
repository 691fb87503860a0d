/** The project whose key was refused, until a person has signed in again. */
let project: string | undefined;
const listeners = new Set<() => void>();

export function requireSignIn(projectId: string): void {
  change(projectId);
}

export function acceptSignIn(): void {
  change(undefined);
}

export const signedOutProject = () => project;

export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: string | undefined): void {
  if (project === next) return;
  project = next;
  for (const listener of listeners) listener();
}
