export { startFaultProxy, type Fault, type FaultProxy } from './fault-proxy.js';
