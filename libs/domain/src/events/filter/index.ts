export {
  ROOT_FIELDS,
  candidatesOf,
  eventPath,
  fieldsRead,
  filterPath,
  valueAt,
  type EventPath,
} from './event-path.js';
export { filtersOfText, TEXT_FIELD } from './text-field.js';
export { ANY_ITEM, type PathPart } from './field-parts.js';
export { excludeSessions } from './derived-fields.js';
export { foldText } from './match/fold-text.js';
export { withoutNegation } from './match/any-item.js';
export { checkArrivalFilters, checkStoredFilters } from './stored-filters.js';
export { arrivalWarnings, indexWarnings } from './stored-warnings.js';
