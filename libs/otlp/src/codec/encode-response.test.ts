import { ERROR_CODES, validationError, type ErrorCode } from '@assay/errors';
import { decodeMessage } from './protobuf/descriptor.js';
import { encodeStatus, encodeTracesResponse } from './encode-response.js';

const none = { rejected: { count: 0, message: '' } };
const some = { rejected: { count: 2, message: '2 spans rejected' } };

describe('the status to an export', () => {
  it('is empty when every span was taken', () => {
    expect(encodeTracesResponse(none, 'json')).toEqual({
      contentType: 'application/json',
      body: Buffer.from('{}'),
    });
    expect(encodeTracesResponse(none, 'protobuf')).toEqual({
      contentType: 'application/x-protobuf',
      body: Buffer.alloc(0),
    });
  });

  it('counts rejected spans, as a decimal text in JSON', () => {
    const expected = { partialSuccess: { rejectedSpans: '2', errorMessage: '2 spans rejected' } };
    expect(JSON.parse(encodeTracesResponse(some, 'json').body.toString())).toEqual(expected);
    expect(decodeMessage('ExportTraceServiceResponse', encodeTracesResponse(some, 'protobuf').body)).toEqual(
      expected,
    );
  });

  it('carries a warning without rejected spans', () => {
    const warning = encodeTracesResponse({ rejected: { count: 0, message: 'old names' } }, 'json');
    expect(JSON.parse(warning.body.toString())).toEqual({
      partialSuccess: { rejectedSpans: '0', errorMessage: 'old names' },
    });
  });
});

describe('a refused export', () => {
  it('answers JSON with a Status and the fields of every error', () => {
    const { body, contentType } = encodeStatus(validationError('the body is not valid JSON'), 'r-1', 'json');
    expect(contentType).toBe('application/json');
    expect(JSON.parse(body.toString())).toEqual({
      code: 3,
      message: 'the body is not valid JSON',
      statusCode: 400,
      success: false,
      errorCode: 'VALIDATION_ERROR',
      requestId: 'r-1',
    });
  });

  it('answers protobuf with a Status message', () => {
    const { body, contentType } = encodeStatus(validationError('no'), 'r-1', 'protobuf');
    expect(contentType).toBe('application/x-protobuf');
    const { details, ...status } = decodeMessage('Status', body) as {
      details: { typeUrl: string; value: Buffer }[];
    };
    expect(status).toEqual({ code: 3, message: 'no' });
    expect(details.map(({ typeUrl }) => typeUrl)).toEqual(['type.googleapis.com/google.rpc.RequestInfo']);
    expect(decodeMessage('RequestInfo', details[0]!.value)).toEqual({ requestId: 'r-1' });
    const long = encodeStatus(validationError('ü'.repeat(100)), 'r-1', 'protobuf').body;
    expect([...long.subarray(0, 6)]).toEqual([8, 3, 0x12, 0xc8, 0x01, 0xc3]);
    expect(decodeMessage('Status', long)).toMatchObject({ code: 3, message: 'ü'.repeat(100) });
  });

  it.each([
    ['UNAUTHORIZED', 16],
    ['FORBIDDEN', 7],
    ['NOT_FOUND', 5],
    ['METHOD_NOT_ALLOWED', 12],
    ['PAYLOAD_TOO_LARGE', 8],
    ['UNSUPPORTED_MEDIA_TYPE', 3],
    ['REQUEST_TIMEOUT', 4],
    ['OVERLOADED', 14],
  ] as const)('encodes %s with the google.rpc code %i in both encodings', (errorCode, code) => {
    const error = { code: errorCode, message: 'm', status: ERROR_CODES[errorCode].status };
    expect(JSON.parse(encodeStatus(error, 'r-1', 'json').body.toString())).toMatchObject({ code, errorCode });
    expect(decodeMessage('Status', encodeStatus(error, 'r-1', 'protobuf').body)).toMatchObject({
      code,
      message: 'm',
    });
  });

  it('uses a code that gRPC clients retry for errors that are worth a retry, and no other', () => {
    const retried = new Set([4, 13, 14]);
    for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
      const { status, retryable } = ERROR_CODES[code];
      const body = JSON.parse(
        encodeStatus({ code, message: 'm', status }, 'r-1', 'json').body.toString(),
      ) as {
        code: number;
      };
      // RESOURCE_EXHAUSTED is retried with `google.rpc.RetryInfo`, which a limit has.
      const isRetried = retried.has(body.code) || (code === 'RATE_LIMITED' && body.code === 8);
      expect([code, isRetried]).toEqual([code, retryable]);
    }
  });
});
