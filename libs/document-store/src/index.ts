export type * from './document-store.js';
export {
  openEmbeddedDocumentStore,
  type EmbeddedDocumentStore,
} from './embedded/open-embedded-document-store.js';
