import { useParams } from '@tanstack/react-router';

/** The project of the address. Screens below `/p/$project` are rendered for signed-in projects only. */
export function useProject(): string {
  return useParams({ from: '/p/$project' }).project;
}
