import {
  exportEvents,
  getEvent,
  getEventPayload,
  getMedia,
  listEvents,
  listEventValues,
  pageEvents,
  searchEvents,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeExportEvents, makeListEvents } from './export-events.js';
import { HeldPages } from './held-pages.js';
import { makeGetEventPayload } from './get-event-payload.js';
import { makeGetEvent } from './get-event.js';
import { makeGetMedia } from './get-media.js';
import { makeListEventValues } from './list-event-values.js';
import { makePageEvents } from './page-events.js';
import { makeSearchEvents } from './search-events.js';

export function eventRoutes(deps: DataPlaneDeps): Binding[] {
  const heldPages = new HeldPages();
  return [
    bind(searchEvents, makeSearchEvents(deps)),
    bind(pageEvents, makePageEvents(deps)),
    bind(exportEvents, makeExportEvents(deps, heldPages)),
    bind(listEvents, makeListEvents(deps, heldPages)),
    bind(listEventValues, makeListEventValues(deps)),
    bind(getEventPayload, makeGetEventPayload(deps)),
    bind(getEvent, makeGetEvent(deps)),
    bind(getMedia, makeGetMedia(deps)),
  ];
}
