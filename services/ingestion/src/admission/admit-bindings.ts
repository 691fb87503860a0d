import type { IngestLimiter } from '../limits/ingest-limiter.js';
import type { Binding } from '@assay/http';
import type { Admission } from './admission.js';

/** Delays, then refuses requests of projects that may not append now, before their body is read. */
export function admitBindings(
  bindings: readonly Binding[],
  { admit }: Pick<Admission, 'admit'>,
  limiter: Pick<IngestLimiter, 'run'>,
): Binding[] {
  return bindings.map((binding) => ({
    route: binding.route,
    handle: async (incoming, context) => {
      const { caller } = context;
      if (caller === undefined || !('projectId' in caller)) return binding.handle(incoming, context);
      const handle = async () => {
        await admit(caller.projectId, context);
        return binding.handle(incoming, context);
      };
      // Deletes free space.
      return binding.route.method === 'DELETE' ? handle() : limiter.run(caller, handle);
    },
  }));
}
