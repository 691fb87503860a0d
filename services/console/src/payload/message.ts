import type { CutRange } from './read-value.js';

/** Part of a message, in texts only, so that a worker can send it. */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string; readonly rest?: CutRange }
  | { readonly kind: 'reasoning'; readonly text: string; readonly rest?: CutRange }
  | { readonly kind: 'json'; readonly text: string }
  | {
      readonly kind: 'field';
      readonly name: string;
      readonly text: string;
      readonly isJson: boolean;
      readonly rest?: CutRange;
    }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly arguments: string }
  | MediaPart;

/** Image, audio, video or file. It is shown on demand, and only from its own bytes: a remote address is text. */
export interface MediaPart {
  readonly kind: 'media';
  readonly medium: string;
  readonly mimeType: string;
  readonly name: string;
  /** Data URL, unless it is long and `rest` says where it is. */
  readonly dataUrl: string;
  readonly rest?: CutRange;
  /** Address or id of something that is not in the event. */
  readonly elsewhere: string;
}

export interface Message {
  readonly role: string;
  readonly name: string;
  /** The call that a tool responds to. */
  readonly callId: string;
  readonly finishReason: string;
  readonly parts: readonly MessagePart[];
  /** Fields that messages do not have otherwise, as JSON text; empty without any. */
  readonly details: string;
}

/** What an event was given and what it returned. */
export interface Exchange {
  readonly asked: readonly Message[];
  readonly answered: readonly Message[];
}
