/** As much of an event as its place in the tree depends on. */
export interface TreeEvent {
  readonly event_id: string;
  readonly parent_id: string | null;
  /** Unix milliseconds. */
  readonly start_time: number;
}

/** An event with the events directly below it. */
export type TreeNode<E extends TreeEvent> = E & { children: TreeNode<E>[] };

/**
 * Levels below the session. Many JSON parsers give up beyond a thousand levels of nesting, and a tree spends
 * two on each of its own; deeper events stand side by side on the last level, and their `parent_id` still
 * says where they belong.
 */
export const MAX_TREE_LEVELS = 200;

/**
 * The events of a session as a tree under its root. Everything is in the tree exactly once, whatever parents
 * are named: an event whose parent is not there (yet), or is itself, stands below the root; so does the
 * earliest event of a circle, which is cut open there. Siblings are ordered by start, then by id.
 * @param events of one session, each once; the root may be among them
 */
export function sessionTree<E extends TreeEvent>(root: E, events: readonly E[]): TreeNode<E> {
  const sorted = events.filter((event) => event.event_id !== root.event_id).sort(byStart);
  const places = rowLocations(root, sorted, parentsOf(root, sorted));
  const rootNode = nodeOf(root);
  const nodes = new Map([
    [root.event_id, rootNode],
    ...sorted.map((event) => [event.event_id, nodeOf(event)] as const),
  ]);
  for (const { event_id: id } of sorted) {
    const node = nodes.get(id);
    const parent = nodes.get(places.get(id) ?? '') ?? rootNode;
    if (node === undefined) continue;
    parent.children.push(node);
  }
  return rootNode;
}

function nodeOf<E extends TreeEvent>(event: E): TreeNode<E> {
  return { ...event, children: [] };
}

/** Oldest first; the id decides between equals, so that the order is always the same. */
function byStart(one: TreeEvent, other: TreeEvent): number {
  return one.start_time - other.start_time || (one.event_id < other.event_id ? -1 : 1);
}

/** The parent of every event, by id; following it always ends at the root. */
function parentsOf(root: TreeEvent, sorted: readonly TreeEvent[]): Map<string, string> {
  const ids = new Set([root.event_id, ...sorted.map((event) => event.event_id)]);
  const parents = new Map(
    sorted.map(({ event_id: id, parent_id: parent }) => [
      id,
      parent !== null && parent !== id && ids.has(parent) ? parent : root.event_id,
    ]),
  );
  for (const id of earliestOfCircles(root, sorted, parents)) parents.set(id, root.event_id);
  return parents;
}

/** One event of each circle: the one that comes first in `sorted`. Every event is walked over once. */
function earliestOfCircles(
  root: TreeEvent,
  sorted: readonly TreeEvent[],
  parents: ReadonlyMap<string, string>,
): string[] {
  const rank = new Map(sorted.map(({ event_id: id }, index) => [id, index]));
  const rankOf = (id: string) => rank.get(id) ?? Infinity;
  const finished = new Set([root.event_id]);
  const earliest: string[] = [];
  for (const event of sorted) {
    const walked = new Set<string>();
    let id = event.event_id;
    while (!finished.has(id) && !walked.has(id)) {
      walked.add(id);
      id = parents.get(id) ?? root.event_id;
    }
    const path = [...walked];
    if (walked.has(id))
      earliest.push(
        path
          .slice(path.indexOf(id))
          .reduce((first, other) => (rankOf(other) < rankOf(first) ? other : first)),
      );
    for (const done of walked) finished.add(done);
  }
  return earliest;
}

/**
 * Below which node each event stands: its parent, or the nearest ancestor that may still have children. Every
 * chain of parents ends at the root.
 */
function rowLocations(
  root: TreeEvent,
  sorted: readonly TreeEvent[],
  parents: ReadonlyMap<string, string>,
): Map<string, string> {
  const places = new Map<string, string>();
  const levels = new Map([[root.event_id, 0]]);
  for (const event of sorted) {
    const chain: string[] = [];
    for (let id = event.event_id; !levels.has(id); id = parents.get(id) ?? root.event_id) chain.push(id);
    for (const id of chain.reverse()) {
      const parent = parents.get(id) ?? root.event_id;
      const above = levels.get(parent) ?? 0;
      const isLast = above >= MAX_TREE_LEVELS;
      levels.set(id, isLast ? above : above + 1);
      places.set(id, isLast ? (places.get(parent) ?? root.event_id) : parent);
    }
  }
  return places;
}
