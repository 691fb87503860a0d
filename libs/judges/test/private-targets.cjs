// Runs in a network namespace of its own, where servers listen on every address of loopback, which has private addresses too. Calls
// each of them by its URL and by a name, and a redirect to one of them. Prints the connections that the servers got, and the reasons.
const { createServer } = require('node:net');
const { createOutboundHttp } = require('../dist/outbound/outbound-http.js');

const ADDRESSES = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '::1',
  'fd00::1',
];
const FORMS = [
  '127.1',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '0',
  'localhost',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[::]',
];

let touched = 0;
const listening = [80, 443, 11434].map(
  (port) =>
    new Promise((resolve, reject) => {
      const server = createServer((socket) => {
        touched++;
        socket.destroy();
      });
      server.once('error', reject);
      server.listen(port, '::', () => resolve(server));
    }),
);

const hosts = [...ADDRESSES.map((address) => (address.includes(':') ? `[${address}]` : address)), ...FORMS];
const urls = hosts.flatMap((host) => [`https://${host}/`, `http://${host}/`, `http://${host}:11434/`]);

async function reasonOf(http, url) {
  const request = { url, headers: {}, body: '{}', allowedHosts: [] };
  return http.post(request, AbortSignal.timeout(5_000)).then(
    () => 'responded',
    (error) => error.reason ?? String(error),
  );
}

Promise.all(listening).then(async (servers) => {
  // The servers can be reached, or the test proves nothing.
  const allowed = createOutboundHttp();
  const reached = {
    url: 'http://10.0.0.1:11434/',
    headers: {},
    body: '{}',
    allowedHosts: ['10.0.0.1:11434'],
  };
  await allowed.post(reached, AbortSignal.timeout(5_000)).catch(() => undefined);
  allowed.close();
  const reachable = touched;
  touched = 0;
  const reasons = new Set();
  const direct = createOutboundHttp();
  for (const url of urls) reasons.add(await reasonOf(direct, url));
  direct.close();
  for (const address of ADDRESSES) {
    const resolve = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
    const named = createOutboundHttp({ resolve });
    reasons.add(await reasonOf(named, 'https://model.example/'));
    named.close();
  }
  process.stdout.write(JSON.stringify({ reachable, touched, reasons: [...reasons] }));
  for (const server of servers) server.close();
});
