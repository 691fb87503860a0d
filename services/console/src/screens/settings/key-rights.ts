import { PRESET_PERMISSIONS, type Permission } from '@assay/domain/browser';
import type { ApiKey } from '../../api/keys.js';

/** A usual set of permissions. */
export interface Preset {
  readonly name: string;
  /** What people with such a key do. */
  readonly purpose: string;
  /** Empty: all of the project, including those of later. */
  readonly permissions: readonly Permission[];
}

export const PRESETS = [
  {
    name: 'viewer',
    purpose: 'reads everything but the list of keys, and changes nothing',
    permissions: PRESET_PERMISSIONS.viewer,
  },
  {
    name: 'annotator',
    purpose: 'reads events and scores those of annotation queues',
    permissions: PRESET_PERMISSIONS.annotator,
  },
  {
    name: 'editor',
    purpose: 'changes events, metrics, datasets, runs, queues and charts, but neither keys nor the project',
    permissions: PRESET_PERMISSIONS.editor,
  },
  {
    name: 'owner',
    purpose: 'may do everything in the project, also make and revoke keys',
    permissions: PRESET_PERMISSIONS.owner,
  },
] as const satisfies readonly Preset[];

export type PresetName = (typeof PRESETS)[number]['name'];

/** Returns what a key may do, in few words. */
export function rightsOf({ scope, permissions }: Pick<ApiKey, 'scope' | 'permissions'>): string {
  if (scope === 'ingest') return 'sends events only';
  const wanted = sorted(permissions);
  const preset = PRESETS.find(({ permissions: own }) => sorted(own) === wanted);
  if (preset !== undefined) return preset.name;
  return permissions.length === 1 ? (permissions[0] ?? '') : `${permissions.length} permissions`;
}

const sorted = (permissions: readonly string[]) => [...new Set(permissions)].sort().join(' ');

/** Whether a key is one that can make others of every kind: unrestricted, and not expired. */
export function isOwner({ scope, permissions, expires_at: end }: ApiKey, now: number): boolean {
  return scope === 'project' && permissions.length === 0 && (end === null || Date.parse(end) > now);
}
