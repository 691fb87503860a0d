import { useQuery } from '@tanstack/react-query';
import { useProject } from '../url/use-project.js';
import { valuesOfField, type Selection } from './events.js';

/** Fields that can have values to choose from. */
const FIELD = /^(?:event_name|event_type|session_id|source|[a-z_]+\..+)$/;

/** The values that selected events have in a field, those that begin with what is typed, with how many events have each. */
export function useFieldValues(field: string, prefix: string, { filters, dateRange }: Selection) {
  const project = useProject();
  return useQuery({
    queryKey: ['values', project, field, prefix, filters, dateRange],
    queryFn: ({ signal }) =>
      valuesOfField(project, { field, prefix: prefix || undefined, filters, dateRange }, signal),
    enabled: FIELD.test(field),
    // Those of another field would be taken for values of this one.
    placeholderData: (before, query) => (query?.queryKey[2] === field ? before : undefined),
  });
}
