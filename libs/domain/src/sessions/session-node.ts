import type { WireEvent } from '../events/wire/wire-event.js';
import type { TreeNode } from './session-tree.js';

/** An event as it is answered within the tree of its session. */
export type SessionNode = TreeNode<WireEvent>;
