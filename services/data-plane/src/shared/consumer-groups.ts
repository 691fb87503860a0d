/** Consumer group of the reader that writes the event store. */
export const STORE_GROUP = 'store';

/** Consumer group of the reader that forwards events to the control plane. */
export const FORWARD_GROUP = 'forward';
