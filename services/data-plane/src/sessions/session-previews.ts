import type { PreviewedSession, SessionPreview, QueryOptions } from '@assay/event-store';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Returns a function that reads what sessions began with, as fields of their rows. */
export function makeSessionPreviews({ store }: Pick<DataPlaneDeps, 'store'>) {
  return async function sessionPreviews(
    projectId: string,
    sessions: readonly PreviewedSession[],
    chars: number,
    options: QueryOptions,
  ): Promise<(sessionId: string) => PreviewFields | undefined> {
    if (sessions.length === 0 || chars === 0) return () => undefined;
    const found = await store.sessions.previews(projectId, sessions, chars, options);
    return (sessionId) => previewFields(found.get(sessionId));
  };
}

interface PreviewFields {
  readonly inputs_preview: string;
  readonly outputs_preview: string;
  readonly preview_event_id: string;
}

/** Returns what a session began with, as fields of its row. */
export function previewFields(preview: SessionPreview | undefined): PreviewFields | undefined {
  if (preview === undefined) return undefined;
  const { eventId, inputs, outputs } = preview;
  return { inputs_preview: inputs, outputs_preview: outputs, preview_event_id: eventId };
}
