import type { DecodedRecord } from '@assay/contracts';
import type { EventPatch } from '@assay/domain';

/** What the records of a batch change of what metrics read about an event. Scores are apart: few metrics read them. */
export interface Changes {
  /** Anything of the event itself but its scores. */
  readonly content: boolean;
  /** Names of the scores of the event that are set or removed, with their explanations. */
  readonly scores: ReadonlySet<string>;
  /** Of a session: anything of its events but their scores. */
  readonly events: boolean;
  /** Of a session: only scores of its events, which composites combine. */
  readonly eventScores: boolean;
}

export const NO_CHANGES: Changes = { content: false, scores: new Set(), events: false, eventScores: false };

/** Returns whether an event, or an event of a session, has changed in more than scores. */
export function hasChangedContent({ content, events }: Changes): boolean {
  return content || events;
}

export function hasChanged(changes: Changes): boolean {
  return hasChangedContent(changes) || changes.scores.size > 0 || changes.eventScores;
}

/** How an update begins that changes only scores: an update has its fields in one order. */
const SCORES = Buffer.from('{"metrics":');

/** Returns the names of the scores that a record sets or removes; undefined for one that changes anything else, or cannot be read. */
export function onlyScores({ kind, value }: DecodedRecord): readonly string[] | undefined {
  if (kind !== 'patch' || !value.subarray(0, SCORES.length).equals(SCORES)) return undefined;
  try {
    const { metrics = {}, ...others } = JSON.parse(value.toString()) as EventPatch;
    return Object.keys(others).length === 0 ? Object.keys(metrics) : undefined;
  } catch {
    return undefined;
  }
}
