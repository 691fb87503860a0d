// Runs in a network namespace of its own: calls a host whose address alternates between a public one and loopback, where a server listens
// on the port of https. Prints the connections that the server got, and why the calls failed.
const { createServer } = require('node:net');
const { createOutboundHttp } = require('../dist/outbound/outbound-http.js');

let touched = 0;
let calls = 0;
const resolve = () => {
  const address = calls++ % 2 === 0 ? '8.8.8.8' : '127.0.0.1';
  return Promise.resolve([{ address, family: 4 }]);
};
const server = createServer((socket) => {
  touched++;
  socket.destroy();
});
server.listen(443, '127.0.0.1', async () => {
  const http = createOutboundHttp({ resolve });
  const reasons = [];
  for (let index = 0; index < 4; index++) {
    const request = { url: 'https://rebind.example/', headers: {}, body: '{}', allowedHosts: [] };
    await http.post(request, AbortSignal.timeout(3_000)).catch((error) => reasons.push(error.reason));
  }
  process.stdout.write(JSON.stringify({ touched, reasons }));
  http.close();
  server.close();
});
