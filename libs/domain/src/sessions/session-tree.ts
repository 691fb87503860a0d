/** The fields of an event that determine its position in the tree. */
export interface TreeEvent {
  readonly event_id: string;
  readonly parent_id: string | null;
  /** Unix milliseconds. */
  readonly start_time: number;
}

/** An event with the events directly below it. */
export type TreeNode<E extends TreeEvent> = E & { children: TreeNode<E>[] };

/**
 * Maximum levels below the session. Many JSON parsers fail beyond a thousand levels of nesting, and each
 * level of the tree takes two. Deeper events are siblings on the last level; their `parent_id` still names
 * the parent.
 */
export const MAX_TREE_LEVELS = 200;

/**
 * Builds the tree of a session's events under its root. Every event is in the tree exactly once, whatever
 * parents are named. An event whose parent has not arrived, or is the event itself, is below the root. The
 * earliest event of a cycle is too, which breaks the cycle. Siblings are ordered by start, then by id.
 * @param events of one session, each once; the root may be among them
 */
export function sessionTree<E extends TreeEvent>(root: E, events: readonly E[]): TreeNode<E> {
  const sorted = events.filter((event) => event.event_id !== root.event_id).sort(byStart);
  const attachedTo = attachNodes(root, sorted, parentsOf(root, sorted));
  const rootNode = nodeOf(root);
  const nodes = new Map([
    [root.event_id, rootNode],
    ...sorted.map((event) => [event.event_id, nodeOf(event)] as const),
  ]);
  for (const { event_id: id } of sorted) {
    const node = nodes.get(id);
    const parent = nodes.get(attachedTo.get(id) ?? '') ?? rootNode;
    if (node === undefined) continue;
    parent.children.push(node);
  }
  return rootNode;
}

function nodeOf<E extends TreeEvent>(event: E): TreeNode<E> {
  return { ...event, children: [] };
}

/** Oldest first, then by id, so that the order is deterministic. */
function byStart(one: TreeEvent, other: TreeEvent): number {
  return one.start_time - other.start_time || (one.event_id < other.event_id ? -1 : 1);
}

/** Returns the parent of every event, by id. Every chain of parents ends at the root. */
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

/** Returns one event of each cycle: the first in `sorted`. Visits every event once. */
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
 * Returns the node that each event is attached to: its parent, or the nearest ancestor that may still have
 * children. Every chain of parents ends at the root.
 */
function attachNodes(
  root: TreeEvent,
  sorted: readonly TreeEvent[],
  parents: ReadonlyMap<string, string>,
): Map<string, string> {
  const attachedTo = new Map<string, string>();
  const levels = new Map([[root.event_id, 0]]);
  for (const event of sorted) {
    const chain: string[] = [];
    for (let id = event.event_id; !levels.has(id); id = parents.get(id) ?? root.event_id) chain.push(id);
    for (const id of chain.reverse()) {
      const parent = parents.get(id) ?? root.event_id;
      const above = levels.get(parent) ?? 0;
      const isLast = above >= MAX_TREE_LEVELS;
      levels.set(id, isLast ? above : above + 1);
      attachedTo.set(id, isLast ? (attachedTo.get(parent) ?? root.event_id) : parent);
    }
  }
  return attachedTo;
}
