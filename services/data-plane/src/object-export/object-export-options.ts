import type { ConfigOf, objectExportSettings } from '@assay/runtime';
import type { ObjectStoreOptions } from './object-store.js';

/** Where events are exported, and when. */
export interface ObjectExportRules {
  readonly objectStore: ObjectStoreOptions;
  /** Between two looks for hours that are over, in milliseconds; a minute when absent. */
  readonly everyMs?: number;
  /** Bytes before compression after which a file ends; 32 MiB when absent. */
  readonly maxFileBytes?: number | undefined;
}

/** Returns undefined when no object store is configured. */
export function objectExportRules(
  config: ConfigOf<typeof objectExportSettings>,
): ObjectExportRules | undefined {
  const {
    exportS3Endpoint: endpoint,
    exportS3Bucket: bucket,
    exportS3Prefix: prefix = '',
    exportS3Region: region,
    exportS3AccessKeyId: accessKeyId,
    exportS3SecretAccessKey: secretAccessKey,
  } = config;
  if (endpoint === undefined || bucket === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { objectStore: { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } };
}
