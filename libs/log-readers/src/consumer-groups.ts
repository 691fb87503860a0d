import { STORE_GROUP } from '@assay/contracts';

export { STORE_GROUP };

/** Consumer group of the reader that forwards events to the control plane. */
export const FORWARD_GROUP = 'forward';

/** Consumer group of the reader that decides which events are evaluated. */
export const EVALUATE_GROUP = 'evaluate';

/** Returns the groups that read the log. Retention does not wait for others, such as one that was switched off. */
export function consumerGroups(config: {
  readonly forwardEvents: boolean;
  readonly evaluateEvents?: boolean;
}): readonly string[] {
  return [
    STORE_GROUP,
    ...(config.forwardEvents ? [FORWARD_GROUP] : []),
    ...(config.evaluateEvents ? [EVALUATE_GROUP] : []),
  ];
}
