// The rules that pages share with the server. Nothing below it imports a module of Node or uses a global of Node.
export { isJsonObject, type JsonObject, type JsonValue } from './json.js';
export {
  missingPermission,
  PERMISSION_RESOURCES,
  PERMISSIONS,
  type Permission,
  type PermissionResource,
} from './access/permission.js';
export { PRESET_PERMISSIONS } from './access/presets.js';
export { EVENT_TYPES, PAYLOAD_FIELDS, type PayloadField } from './events/event-shape.js';
export { canonicalUuid, isUuid } from './events/identity/uuid-text.js';
export { acceptFilters, type FilterInput } from './events/filter/accept-filters.js';
export { acceptBound, acceptDateRange, type DateRange } from './events/filter/date-range.js';
export { TEXT_FIELD, TEXT_OPERATORS } from './events/filter/text-field.js';
export { inferType, type FilterMode } from './events/filter/filter-type.js';
export {
  FILTER_OPERATORS,
  FILTER_TYPES,
  SENT_OPERATORS,
  type Filter,
  type FilterOperator,
  type FilterScalar,
  type FilterType,
} from './events/filter/filter.js';
export {
  acceptEventSort,
  NEWEST_FIRST,
  SORT_ORDERS,
  type EventSort,
  type SortOrder,
} from './events/page/event-sort.js';
export { PEOPLE_TYPES } from './resources/metric-kinds.js';
export { parseInstant } from './events/time/instant.js';
export { modelNameForms, plainModelName } from './sessions/model-name.js';
export { MAX_TREE_LEVELS, sessionTree, type TreeEvent, type TreeNode } from './sessions/session-tree.js';
