/**
 * Writes `recorded-frames.json`: frames of the reference encoder, with the hash of what they contain. Needs a Node with zstd, and the
 * command `zstd` for the dictionary: `node24 record-frames.mjs > recorded-frames.json`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';

let state = 7;
const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
const upTo = (end) => Math.floor(random() * end);
const times = (count, of) => Array.from({ length: count }, (_, index) => of(index));
const WORDS =
  'the model calls a tool for weather in Oslo and Bergen then says Grüße 🌍 日本語 to its user'.split(' ');
const prose = (words) => times(words, () => WORDS[upTo(WORDS.length)]).join(' ');
const noise = (bytes) => Buffer.from(times(bytes, () => upTo(256)));
const spans = (count) =>
  times(count, (index) => ({
    spanId: noise(8).toString('hex'),
    name: 'chat',
    start: 1.7e18 + index,
    text: prose(12),
  }));

const CONTENTS = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from('a'),
  'small JSON': Buffer.from('{"resourceSpans":[]}'),
  spans: Buffer.from(JSON.stringify(spans(60))),
  prose: Buffer.from(prose(2_000)),
  base64: Buffer.from(noise(3_000).toString('base64')),
  noise: noise(2_000),
  'one letter': Buffer.alloc(400_000, 'z'),
  'few symbols': Buffer.from(times(6_000, () => 'ab'[upTo(2)]).join('')),
  'all bytes in runs': Buffer.concat(times(256, (byte) => Buffer.alloc(1 + upTo(40), byte))),
  'matches far apart': Buffer.concat([noise(600), Buffer.alloc(200_000), Buffer.from(prose(200))]),
};
CONTENTS['matches far apart'] = Buffer.concat([CONTENTS['matches far apart'], CONTENTS['matches far apart']]);
const LEVELS = [-7, 1, 3, 9, 19, 22];
const { ZSTD_c_compressionLevel: LEVEL, ZSTD_c_checksumFlag: CHECKSUM, ZSTD_c_windowLog: WINDOW } = constants;
const { ZSTD_c_contentSizeFlag: SIZE, ZSTD_c_enableLongDistanceMatching: LONG } = constants;
const OPTIONS = {
  'with a checksum': { [CHECKSUM]: 1 },
  'without its size': { [SIZE]: 0 },
  'with a window of 1 KB': { [WINDOW]: 10, [SIZE]: 0 },
  'with a window of 64 MB, matches over long distances': { [WINDOW]: 26, [LONG]: 1, [SIZE]: 0 },
};

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const recorded = (name, content, params) => ({
  name,
  bytes: content.length,
  sha256: sha256(content),
  frame: zstdCompressSync(content, { params }).toString('base64'),
});
const frames = [];
for (const [kind, content] of Object.entries(CONTENTS))
  for (const level of LEVELS) frames.push(recorded(`${kind}, level ${level}`, content, { [LEVEL]: level }));
for (const kind of ['spans', 'prose', 'matches far apart'])
  for (const [title, params] of Object.entries(OPTIONS))
    frames.push(recorded(`${kind}, ${title}`, CONTENTS[kind], { [LEVEL]: 3, ...params }));

/** A frame that needs the dictionary of other spans. */
function withDictionary() {
  const folder = mkdtempSync(join(tmpdir(), 'zstd-frames-'));
  const file = (name, bytes) => (writeFileSync(join(folder, name), bytes), join(folder, name));
  const samples = times(400, (index) => file(`sample-${index}`, JSON.stringify(spans(2))));
  const dictionary = join(folder, 'dictionary');
  const quiet = { stdio: 'ignore' };
  execFileSync('zstd', ['-q', '--train', ...samples, '-o', dictionary], quiet);
  execFileSync('zstd', ['-q', '-D', dictionary, samples[0], '-o', join(folder, 'frame')], quiet);
  return readFileSync(join(folder, 'frame')).toString('base64');
}

const unique = frames.filter(
  ({ frame, sha256: hash }, index) =>
    index === frames.findIndex((one) => one.frame === frame && one.sha256 === hash),
);
const library = process.versions.zstd ?? '';
process.stdout.write(
  `${JSON.stringify({ library, frames: unique, withDictionary: withDictionary() }, null, 1)}\n`,
);
