export { anEvent, EVENT_TIME, type EventOwner } from './an-event.js';
export { describeWhere, mustAllRun, type Requirement, type TestFunctions } from './describe-where.js';
export { startFaultProxy, type Fault, type FaultProxy } from './fault-proxy.js';
export { endOwnedProcesses, own } from './owned-processes.js';
export { startMailServer, type MailServer, type MailServerOptions } from './mail-server.js';
export { patience } from './patience.js';
export { silentLogger } from './silent-logger.js';
export { waitFor, type WaitOptions } from './wait-for.js';
export {
  beginCall,
  callOverHttp2,
  framed,
  openHttp2,
  type CallOutcome,
  type Http2CallOptions,
} from './http2-call.js';
