import type { WireEvent } from '../events/wire/wire-event.js';
import type { TreeNode } from './session-tree.js';

/** An event in the response with the tree of its session. */
export type SessionNode = TreeNode<WireEvent>;
