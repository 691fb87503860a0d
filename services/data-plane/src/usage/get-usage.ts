import type { getUsage } from '@assay/contracts';
import { acceptDateRange, usageDays, usageReport } from '@assay/domain';
import type { Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Counts what the project used by day. @throws AppError `VALIDATION_ERROR` for an invalid range */
export function makeGetUsage(deps: DataPlaneDeps): Operation<typeof getUsage> {
  return ({ query }, { caller: { projectId }, waitMs, signal }) => {
    const range = usageDays(acceptDateRange(query.dateRange, deps.now()), deps.now());
    return respondAfterWait(deps, waitMs, async () => {
      const days = await deps.store.aggregates.usageByDay(projectId, range, { signal });
      return usageReport(
        days.map((day) => ({
          day: day.day,
          num_events: day.events,
          num_model_events: day.modelEvents,
          num_sessions: day.sessions,
          num_errors: day.errors,
          prompt_tokens: day.promptTokens,
          completion_tokens: day.completionTokens,
          total_tokens: day.totalTokens,
          cost: day.cost,
          unpriced_models: [...day.unpricedModels],
        })),
      );
    });
  };
}
