import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatAxis, type Zone } from '../format/time.js';

export interface PlottedLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Whether it is of the period before. */
  readonly isBefore: boolean;
  /** Its colour, of those of all lines. */
  readonly colour: number;
}

interface Props {
  /** Unix milliseconds, ascending. */
  readonly starts: readonly number[];
  readonly lines: readonly PlottedLine[];
  readonly zone: Zone;
  readonly theme: string;
  readonly height: number;
  /** A person has chosen a value: the index of the bucket and of the line. */
  readonly onChoose: (bucket: number, line: number) => void;
}

const COLOURS = ['accent', 'tool', 'chain', 'ok', 'worse', 'muted', 'error', 'warn', 'session', 'better'];

/** Draws lines over time. The same numbers are in a table beside it, which screen readers read. */
export function Plot({ starts, lines, zone, theme, height, onChoose }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const choose = useRef(onChoose);
  useEffect(() => {
    choose.current = onChoose;
  });
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const data: uPlot.AlignedData = [
      starts.map((at) => at / 1_000),
      ...lines.map(({ values }) => [...values]),
    ];
    const plot = new uPlot(optionsOf(element, { lines, zone, height }), data, element);
    const onClick = () => {
      const { idx } = plot.cursor;
      if (idx !== null && idx !== undefined) choose.current(idx, nearestLine(plot, idx));
    };
    plot.over.addEventListener('click', onClick);
    const observer = new ResizeObserver(() => plot.setSize({ width: widthOf(element), height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [starts, lines, zone, theme, height]);
  return <div className="plot" ref={host} aria-hidden="true" />;
}

const MIN_WIDTH = 200;
const widthOf = (element: HTMLElement) => Math.max(MIN_WIDTH, element.clientWidth);

function optionsOf(
  element: HTMLElement,
  { lines, zone, height }: Pick<Props, 'lines' | 'zone' | 'height'>,
): uPlot.Options {
  const colour = coloursOf(element);
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('line') },
    ticks: { stroke: colour('line') },
  };
  return {
    ...{ width: widthOf(element), height, legend: { show: false } },
    axes: [
      { ...axis, values: (_plot: uPlot, times: number[]) => [...formatAxis(times, zone)] },
      { ...axis, size: 64 },
    ],
    tzDate: (seconds: number) =>
      zone === 'utc' ? uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') : new Date(seconds * 1_000),
    series: [
      {},
      ...lines.map(({ label, isBefore, colour: nth }) => ({
        ...{ label, width: 1.5, points: { show: starts(lines) < 60 } },
        stroke: colour(COLOURS[nth % COLOURS.length] ?? 'accent'),
        ...(isBefore && { dash: [4, 4] }),
      })),
    ],
  };
}

const starts = (lines: readonly PlottedLine[]) => lines[0]?.values.length ?? 0;

/** Colours of the theme as the canvas takes them: it knows no custom properties. */
function coloursOf(element: HTMLElement): (name: string) => string {
  const probe = document.createElement('span');
  element.append(probe);
  const found = new Map<string, string>();
  const names = [...COLOURS, 'muted', 'line'];
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    found.set(name, getComputedStyle(probe).color);
  }
  probe.remove();
  return (name) => found.get(name) ?? 'gray';
}

/** The line whose value is closest to the pointer. */
function nearestLine(plot: uPlot, bucket: number): number {
  const top = plot.cursor.top ?? 0;
  const distances = plot.data.slice(1).map((values) => {
    const value = values[bucket];
    return typeof value === 'number' ? Math.abs(plot.valToPos(value, 'y') - top) : Infinity;
  });
  return Math.max(0, distances.indexOf(Math.min(...distances)));
}
