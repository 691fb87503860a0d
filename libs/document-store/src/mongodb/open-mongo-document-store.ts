import { unavailable, validationError } from '@assay/errors';
import { inspectClock, inspectVersion, type Finding } from '@assay/runtime';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import type { CollectionSpec, DocumentCollection, DocumentStore } from '../document-store.js';
import { checkSpec } from '../rules/collection-spec.js';
import { mapMongoError } from './map-mongo-error.js';
import { MongoCollection } from './mongo-collection.js';
import { reshape } from './reshape.js';
import { indexesOf } from './statements.js';
import type { StoredDocument } from './stored-document.js';

/** Oldest version that the driver and the write concern need. */
const OLDEST_VERSION = '5.0';

/**
 * A write is acknowledged once a majority has journalled it, and reads see majority-committed data. Every
 * wait is bounded; a call ends within about 20 s.
 */
const CLIENT_OPTIONS: MongoClientOptions = {
  appName: 'assay',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  readConcern: { level: 'majority' },
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: 15_000,
  maxPoolSize: 50,
  maxIdleTimeMS: 60_000,
};

/** What a TLS connection to the server needs, in PEM form. */
export interface MongoTls {
  /** Authorities of the server's certificate; those of Node when absent. */
  readonly ca?: string;
  /** Certificate of this client. */
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Opens a document store in MongoDB, or in a server with its protocol. A replica set is not required.
 * Connects on the first call.
 * @param options `url`: connection string, may contain credentials; `database`: its name; `tls`: switches TLS on
 * @throws AppError `VALIDATION_ERROR` if the connection string is malformed
 */
export function openMongoDocumentStore(options: {
  readonly url: string;
  readonly database: string;
  readonly tls?: MongoTls;
}): Promise<DocumentStore> {
  return Promise.resolve().then(() => {
    const client = newClient(options.url, options.tls);
    return new MongoDocumentStore(client, client.db(options.database));
  });
}

function newClient(url: string, tls: MongoTls | undefined): MongoClient {
  try {
    return new MongoClient(url, { ...CLIENT_OPTIONS, ...(tls && { tls: true, ...tls }) });
  } catch (cause) {
    throw validationError('the URL of MongoDB is malformed', { cause });
  }
}

class MongoDocumentStore implements DocumentStore {
  private closing: Promise<void> | undefined;

  constructor(
    private readonly client: MongoClient,
    private readonly database: Db,
  ) {}

  async collection<Fields extends object>(spec: CollectionSpec): Promise<DocumentCollection<Fields>> {
    checkSpec(spec);
    const stored = this.database.collection<StoredDocument>(spec.name);
    await this.ask(() => reshape(spec, stored));
    for (const { name, key, unique } of indexesOf(spec))
      await this.ask(() => stored.createIndex({ ...key }, { name, unique }));
    return new MongoCollection<Fields>(spec, stored, () => this.closing !== undefined);
  }

  async check(): Promise<void> {
    await this.ask(() => this.database.command({ ping: 1 }));
  }

  async inspect(): Promise<readonly Finding[]> {
    const { version } = await this.ask(() => this.database.command({ buildInfo: 1 }));
    const { localTime } = await this.ask(() => this.database.command({ hello: 1 }));
    return [
      inspectVersion('MongoDB', String(version), { oldest: OLDEST_VERSION }),
      ...(localTime instanceof Date ? [inspectClock('MongoDB', localTime.getTime(), Date.now())] : []),
    ];
  }

  close(): Promise<void> {
    this.closing ??= this.client.close();
    return this.closing;
  }

  private async ask<T>(call: () => Promise<T>): Promise<T> {
    if (this.closing) throw unavailable('the document store is closed');
    try {
      return await call();
    } catch (error) {
      throw mapMongoError(error);
    }
  }
}
