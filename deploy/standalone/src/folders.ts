import { join } from 'node:path';

/** Returns the paths in the data folder, which only its owner may read. */
export function folders(root: string) {
  return {
    root,
    documents: join(root, 'documents'),
    log: join(root, 'log'),
    events: join(root, 'events'),
    knownIds: join(root, 'events', 'known-ids'),
    keys: join(root, 'keys'),
    metrics: join(root, 'metrics'),
    epoch: join(root, 'log-epoch'),
    pepper: join(root, 'key-pepper'),
    adminToken: join(root, 'admin-token'),
    consoleSecret: join(root, 'console-session-secret'),
  };
}
