import type { Binding } from '@assay/http';
import type { Admission } from './admission.js';

/** Delays, then refuses requests of projects that may not append now, before their body is read. */
export function admitBindings(bindings: readonly Binding[], { admit }: Pick<Admission, 'admit'>): Binding[] {
  return bindings.map((binding) => ({
    route: binding.route,
    handle: async (incoming, context) => {
      const { caller } = context;
      if (caller !== undefined && 'projectId' in caller) await admit(caller.projectId, context);
      return binding.handle(incoming, context);
    },
  }));
}
