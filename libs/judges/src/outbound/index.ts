export { createOutboundHttp, type OutboundHttp } from './outbound-http.js';
export { OutboundError } from './outbound-error.js';
