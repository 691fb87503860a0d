import { emptyEvent, type Event } from '@assay/domain';
import { decodeEventRow, encodeEventRow, EVENT_ROWS } from './event-row.js';

const EVENT_ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const SESSION_ID = '0f6b6a52-7a0e-4f0e-9d29-1d1f0f8f7f10';
const START = 1_767_225_600_000.125;

const EVENT: Event = {
  ...emptyEvent(),
  project_id: 'project-é',
  event_id: EVENT_ID,
  session_id: SESSION_ID,
  parent_id: SESSION_ID,
  children_ids: ['child'],
  event_type: 'model',
  event_name: 'answer',
  source: 'prod',
  start_time: START,
  end_time: 1_767_225_600_250,
  error: 'timeout',
  inputs: { a: 1 },
  outputs: { b: 'x' },
  config: { model: 'm' },
  metadata: { run_id: 'r', n: 2.5 },
  metrics: { ok: true },
  feedback: { rating: 5 },
  user_properties: { user_id: 'u' },
  origin: 'sent',
};

/** Bytes of the first release. They never change, because log records and stored rows contain them. */
const ROW = [
  '6e4f0a7f0c9d5f0b2e1d0a8f1f3f1b9c0e4f0e7a526a6b0f107f8f0f1f1d299d000280aa6db7794200a8da769b010000',
  '00b95569010a70726f6a6563742dc3a9002430663662366135322d376130652d346630652d396432392d316431663066',
  '38663766313001056368696c64056d6f64656c06616e737765720470726f640000a08faa6db7794201000774696d656f',
  '7574077b2261223a317d097b2262223a2278227d0d7b226d6f64656c223a226d227d167b2272756e5f6964223a227222',
  '2c226e223a322e357d0b7b226f6b223a747275657d0c7b22726174696e67223a357d0f7b22757365725f6964223a2275',
  '227d0473656e74050f6d657461646174612e72756e5f696401720a6d6574726963732e6f6b04747275650c636f6e6669',
  '672e6d6f64656c016d17757365725f70726f706572746965732e757365725f69640175096f7574707574732e62017803',
  '0a6d657461646174612e6e00000000000004400f666565646261636b2e726174696e67000000000000144008696e7075',
  '74732e61000000000000f03f017200',
].join('');
const TOMBSTONE = [
  '6e4f0a7f0c9d5f0b2e1d0a8f1f3f1b9c0e4f0e7a526a6b0f107f8f0f1f1d299d000280aa6db7794200a8da769b010000',
  '00b95569000a70726f6a6563742dc3a90100000000010101000000000000000000000000',
].join('');

describe('row format', () => {
  it('encodes an event to the bytes of the first release, and decodes those bytes', () => {
    expect(encodeEventRow(EVENT).toString('hex')).toBe(ROW);
    expect(decodeEventRow(Buffer.from(ROW, 'hex'))).toStrictEqual(EVENT);
  });

  it('encodes a tombstone to the bytes of the first release', () => {
    const location = { projectId: 'project-é', eventId: EVENT_ID, sessionId: SESSION_ID, startTime: START };
    expect(EVENT_ROWS.tombstone(location).toString('hex')).toBe(TOMBSTONE);
  });
});
