/** Parent of every event of a session, by id; 0 for events directly below the session. */
export type Parents = ReadonlyMap<number, number>;

/** An event that reports usage, and its trace; 0 means none. */
interface Reporter {
  readonly id: number;
  readonly trace: number;
}

/**
 * Returns the parents as a tree, as far as the reporters need it. Cycles are broken, and a fragment of a
 * trace whose top names a missing parent is attached below the first reporter of the same trace that is not
 * itself detached.
 */
export function joinFragments(sent: Parents, reporters: readonly Reporter[]): Parents {
  const parents = new Map(sent);
  // Sorted, so that the same events always give the same tree.
  const sorted = [...reporters].sort((one, other) => one.id - other.id);
  const topOf = makeTopOf(parents);
  const tops = sorted.map((reporter) => ({ ...reporter, top: topOf(reporter.id) }));
  const isCutOff = (top: number) => !parents.has(parents.get(top) ?? 0) && parents.get(top) !== 0;
  const cutOff = tops.filter(({ trace, top }) => trace !== 0 && isCutOff(top));
  if (cutOff.length === 0) return parents;
  const heads = headsOf(
    tops.filter(({ top }) => !isCutOff(top)),
    parents,
  );
  for (const { trace, top } of cutOff) parents.set(top, heads.get(trace) ?? 0);
  return parents;
}

/**
 * Returns a function that finds the topmost event above an event; a cycle is broken at the event that closes
 * it.
 */
function makeTopOf(parents: Map<number, number>): (id: number) => number {
  const tops = new Map<number, number>();
  return (id) => {
    const path = new Set<number>();
    let at = id;
    while (!tops.has(at) && !path.has(at)) {
      path.add(at);
      const parent = parents.get(at) ?? 0;
      if (!parents.has(parent)) break;
      at = parent;
      if (path.has(at)) parents.set(at, 0);
    }
    const top = tops.get(at) ?? at;
    for (const passed of path) tops.set(passed, top);
    return top;
  };
}

/** Returns for each trace a reporter with no reporter of the same trace above it. */
function headsOf(reporters: readonly Reporter[], parents: Parents): Map<number, number> {
  const heads = new Map<number, number>();
  const traceOf = new Map(reporters.map(({ id, trace }) => [id, trace]));
  for (const { id, trace } of reporters) {
    if (trace === 0 || heads.has(trace)) continue;
    let head = id;
    for (let at = parents.get(id) ?? 0; at !== 0; at = parents.get(at) ?? 0)
      if (traceOf.get(at) === trace) head = at;
    heads.set(trace, head);
  }
  return heads;
}
