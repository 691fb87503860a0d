/** Path data of every icon, on a grid of 16. */
const PATHS = {
  start: 'M3 8h7M7.5 4.5 11 8l-3.5 3.5M13 3v10',
  sessions: 'M2.5 4h11M2.5 8h7M2.5 12h9',
  filter: 'M2.5 3.5h11l-4.3 5v4.2L6.8 14V8.5z',
  views: 'M4 2.5h8v11l-4-3-4 3z',
  events: 'M3 3v10M3 4.5h5M3 8h9M3 11.5h7',
  runs: 'M3 13V9M8 13V3M13 13V6',
  usage: 'M2.5 13.5h11M3.5 13.5V9h2v4.5M7 13.5v-10h2v10M10.5 13.5v-7h2v7',
  queues: 'M2.5 4.5 4 6l2.5-3M8.5 4.5h5M2.5 10.5 4 12l2.5-3M8.5 10.5h5',
  evaluators: 'M2.5 13.5h11M4 10.5l3-4 2.5 2L13 3M10.2 3H13v2.8',
  charts: 'M2.5 2.5v11h11M4.5 10l3-3.5 2 2 4-5',
  datasets: 'M2.5 3.5h11v3h-11zM2.5 8h11M2.5 10.5h11M2.5 13h11',
  health: 'M2 8.5h3L6.5 4l3 8.5 1.5-4h3',
  comment: 'M2.5 3h11v8H7l-3 2.5V11H2.5z',
  api: 'm5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3 7 13',
  settings: 'M2.5 5h6M11.5 5h2M10 3.5v3M2.5 11h2M7.5 11h6M6 9.5v3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5l3 3',
  plus: 'M8 3.5v9M3.5 8h9',
  close: 'm4 4 8 8M12 4l-8 8',
  down: 'm4 6.5 4 4 4-4',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.3 1.6',
  live: 'M8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM4.6 11.4a4.8 4.8 0 0 1 0-6.8M11.4 4.6a4.8 4.8 0 0 1 0 6.8',
  theme: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12M8 5h4.6M8 8h6M8 11h4.6',
  download: 'M8 2.5v7.5M4.8 7.2 8 10.4l3.2-3.2M3 13.5h10',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.2 4.5l.6 9h6.4l.6-9',
  key: 'M5.5 12.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM7.4 7.9 13 2.5M10.5 5l2 2',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.3 6.4a1.8 1.8 0 1 1 2.5 1.7c-.6.3-.8.6-.8 1.2M8 11.3v.1',
  signOut: 'M6.5 2.5h-3v11h3M9.5 5 12.5 8l-3 3M12.5 8h-6',
  error: 'm4.5 4.5 7 7M11.5 4.5l-7 7',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  external: 'M6 3.5H3v9.5h9.5v-3M9 3h4v4M13 3 7.5 8.5',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a text that says the same; screen readers skip it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      {...{ width: size, height: size, viewBox: '0 0 16 16', fill: 'none', stroke: 'currentColor' }}
      {...{ strokeWidth: 1.4, strokeLinecap: 'round', strokeLinejoin: 'round' }}
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
