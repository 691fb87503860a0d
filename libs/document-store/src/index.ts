export type * from './document-store.js';
export { openEmbeddedDocumentStore } from './embedded/open-embedded-document-store.js';
