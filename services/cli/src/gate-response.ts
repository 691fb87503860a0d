import type { gateRun, ResponseOf } from '@assay/contracts';

export type GateResponse = ResponseOf<typeof gateRun>;
