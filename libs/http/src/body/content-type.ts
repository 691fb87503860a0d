import { AppError } from '@assay/errors';

/** Media types of the two OTLP encodings. */
export type OtlpType = 'application/json' | 'application/x-protobuf';

/** The types as most clients send them, which need no parsing. */
const EXACT_TYPES: readonly string[] = ['application/x-protobuf', 'application/json'] satisfies OtlpType[];
const PROTOBUF_TYPES = ['application/x-protobuf', 'application/protobuf', 'application/x-google-protobuf'];

interface MediaType {
  readonly type: string;
  readonly charset: string | undefined;
}

function mediaType(header: string): MediaType {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return { type, charset: charset?.replaceAll('"', '') };
}

function requireUtf8({ charset }: MediaType): void {
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'charset of Content-Type must be utf-8');
}

/** @throws AppError `UNSUPPORTED_MEDIA_TYPE` unless the header declares JSON in UTF-8 */
export function requireJson(header: string | undefined): void {
  if (header === 'application/json') return;
  const media = mediaType(header ?? '');
  if (media.type !== 'application/json')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
  requireUtf8(media);
}

/** Whether the header names one of the protobuf types that exporters use. */
export function isProtobuf(header: string | undefined): boolean {
  return header !== undefined && PROTOBUF_TYPES.includes(mediaType(header).type);
}

/**
 * Returns the encoding of an OTLP body.
 * @returns undefined without the header; then the encoding is detected from the body
 * @throws AppError `UNSUPPORTED_MEDIA_TYPE` for another type
 */
export function otlpType(header: string | undefined): OtlpType | undefined {
  if (header === undefined) return undefined;
  if (EXACT_TYPES.includes(header)) return header as OtlpType;
  const media = mediaType(header);
  if (PROTOBUF_TYPES.includes(media.type)) return 'application/x-protobuf';
  if (media.type === 'application/json') {
    requireUtf8(media);
    return 'application/json';
  }
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Content-Type must be application/json or application/x-protobuf',
  );
}
