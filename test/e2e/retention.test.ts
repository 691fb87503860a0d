import { startStandalone } from '../harness/stack/start-standalone.js';
import { FREQUENT_LOOKS, retentionJourney } from './retention-journey.js';

const DAYS = 60;

describe('expired events of the standalone process', () =>
  retentionJourney(
    () => startStandalone({ EVENT_RETENTION_DAYS: String(DAYS), ...FREQUENT_LOOKS }),
    'standalone',
    DAYS,
  ));
