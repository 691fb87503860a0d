import type { Rejection } from '../../api/events.js';

/** Rejected requests with the same cause. */
export interface RejectionGroup {
  /** The newest of them. */
  readonly newest: Rejection;
  readonly count: number;
}

/** Groups rejected requests by route, status, reason and field; the group with the newest one is first. */
export function groupRejections(rejections: readonly Rejection[]): readonly RejectionGroup[] {
  const groups = new Map<string, RejectionGroup>();
  for (const one of rejections) {
    const cause = JSON.stringify([one.route, one.status, one.reason, one.field]);
    const group = groups.get(cause);
    if (group === undefined) groups.set(cause, { newest: one, count: 1 });
    else groups.set(cause, { ...group, count: group.count + 1 });
  }
  return [...groups.values()];
}
