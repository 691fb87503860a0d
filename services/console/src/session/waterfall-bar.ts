import type { TreeColumns, TreeLayout } from './lay-out-tree.js';

/** Part of the session that the waterfall shows, in milliseconds after its start. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Bar of an event as shares of the width, and what is odd about its times. */
export interface WaterfallBar {
  readonly left: number;
  readonly width: number;
  readonly note: 'running' | 'negative duration' | 'outside its parent' | undefined;
}

/** Tolerance for clocks of different machines, in milliseconds. */
const SKEW_MS = 2;

/** Where the bar of an event is. An event without an end runs to the end of the session. */
export function waterfallBar(
  columns: TreeColumns,
  layout: TreeLayout,
  event: number,
  window: TimeWindow,
): WaterfallBar {
  const start = columns.start[event] ?? 0;
  const duration = columns.duration[event] ?? null;
  const end = duration === null ? layout.to : start + Math.max(0, duration);
  const span = Math.max(window.to - window.from, 1e-9);
  const left = clamp((start - window.from) / span);
  return { left, width: clamp((end - window.from) / span) - left, note: noteOf(columns, layout, event) };
}

function noteOf(columns: TreeColumns, { parent }: TreeLayout, event: number): WaterfallBar['note'] {
  const duration = columns.duration[event] ?? null;
  if (duration === null) return 'running';
  if (duration < 0) return 'negative duration';
  const above = parent[event] ?? -1;
  if (above === -1) return undefined;
  const [start, end] = [columns.start[event] ?? 0, (columns.start[event] ?? 0) + duration];
  const [from, length] = [columns.start[above] ?? 0, columns.duration[above] ?? null];
  const isOutside = start + SKEW_MS < from || (length !== null && end < from - SKEW_MS);
  return isOutside ? 'outside its parent' : undefined;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
