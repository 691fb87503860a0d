// The single process with an event store that remembers nothing of its reads.
import { runService } from '@assay/runtime';
import { composeStandalone, standaloneSettings } from '@assay/standalone';

void runService(standaloneSettings, (config, print) => composeStandalone({ ...config, hints: 'off' }, print));
