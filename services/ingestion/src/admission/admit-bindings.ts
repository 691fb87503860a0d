import type { Binding } from '@assay/http';
import type { Admission } from './admission.js';

/** Refuses requests of projects that may not append now, before their body is read. */
export function admitBindings(
  bindings: readonly Binding[],
  { assertAdmitted }: Pick<Admission, 'assertAdmitted'>,
): Binding[] {
  return bindings.map((binding) => ({
    route: binding.route,
    handle: async (incoming, context) => {
      const { caller } = context;
      if (caller !== undefined && 'projectId' in caller) assertAdmitted(caller.projectId);
      return binding.handle(incoming, context);
    },
  }));
}
