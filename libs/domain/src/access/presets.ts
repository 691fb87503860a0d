import { PERMISSIONS, type Permission } from './permission.js';

/** Usual sets of permissions, by name. Empty: all of the project, including those of later releases. */
export const PRESET_PERMISSIONS = {
  viewer: PERMISSIONS.filter((one) => one.endsWith(':read') && !one.startsWith('keys:')),
  annotator: [
    ...(['events:read', 'events:write', 'metrics:read', 'projects:read'] as const),
    ...(['queues:read', 'queues:write'] as const),
  ],
  editor: PERMISSIONS.filter((one) => !/^(?:keys:|projects:write)/.test(one)),
  owner: [],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;
