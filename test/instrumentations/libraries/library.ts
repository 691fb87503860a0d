import type { PythonPackages } from '../packages/client-packages.js';

/** A library that asks about the weather in Oslo (see `python/weather.py`), and what its spans tell of it. */
export interface Library {
  /** Packages of the catalogue that make the spans. */
  readonly packages: readonly string[];
  /** Absent: a program for Node. */
  readonly python?: PythonPackages;
  /** In `python/libraries` or `node`, with its arguments. */
  readonly program: readonly [file: string, ...args: string[]];
  /** Model in the events: the requested or the responding one. */
  readonly model: string;
  /** Absent: the spans do not name it. */
  readonly provider?: string;
  readonly finish?: { readonly ofCall: string; readonly ofFinal: string };
  /** Token counts of a call: absent when the spans carry none. */
  readonly tokens?: Readonly<Record<string, number>>;
  /** Inputs and outputs of the event of the tool; absent when the tool has no span. */
  readonly tool?: { readonly inputs: object; readonly outputs: object };
  /** Other events that the library is known for. */
  readonly steps?: readonly object[];
  /** Absent when the conversation ends in another way than as a text. */
  readonly finalText?: string;
  readonly user?: string;
  /** System instructions of the first call. */
  readonly instructions?: string;
}
