import { deadLetterId, type DeadLetter } from '@assay/event-log';

/** Fields of a request that select dead letters. */
export interface SentSelection {
  readonly ids?: readonly string[];
  readonly group?: string;
  readonly error_class?: string;
  readonly project_id?: string;
}

/** Maximum of one request without a limit of its own. */
export const MAX_PER_CALL = 1_000;

/** Returns whether a letter matches all fields that are present. */
export function selectDeadLetters(sent: SentSelection): (letter: DeadLetter) => boolean {
  const { group, error_class: errorClass, project_id: project } = sent;
  const ids = sent.ids && new Set(sent.ids);
  return (letter) =>
    (ids === undefined || ids.has(deadLetterId(letter))) &&
    (group === undefined || letter.reason.group === group) &&
    (errorClass === undefined || letter.reason.errorClass === errorClass) &&
    (project === undefined || letter.reason.project === project);
}

/** Returns whether the request selects by anything. */
export function hasSelection({ ids, group, error_class, project_id }: SentSelection): boolean {
  return [ids, group, error_class, project_id].some((field) => field !== undefined);
}
