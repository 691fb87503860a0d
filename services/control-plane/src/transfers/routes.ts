import { exportDocuments, importDocuments } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import { makeExportDocuments } from './export-documents.js';
import { makeImportDocuments } from './import-documents.js';
import type { TransferDeps } from './moved-collections.js';

export function transferRoutes(deps: TransferDeps & { readonly bindAudited: BindAudited }): Binding[] {
  return [
    bind(exportDocuments, makeExportDocuments(deps)),
    deps.bindAudited(
      importDocuments,
      makeImportDocuments(deps),
      ({ body }) => `${body.kind}.imported`,
      ({ body }) => body.kind,
    ),
  ];
}
