import {
  createAlert,
  deleteAlert,
  getAlert,
  listAlertHistory,
  listAlerts,
  muteAlert,
  testAlert,
  updateAlert,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import type { AlertDeps } from './alert-document.js';
import {
  makeCreateAlert,
  makeDeleteAlert,
  makeGetAlert,
  makeListAlertHistory,
  makeListAlerts,
  makeMuteAlert,
  makeTestAlert,
  makeUpdateAlert,
} from './alert-operations.js';

export function alertRoutes(deps: AlertDeps & { readonly bindAudited: BindAudited }): Binding[] {
  const { bindAudited } = deps;
  return [
    bind(listAlerts, makeListAlerts(deps)),
    bindAudited(createAlert, makeCreateAlert(deps), 'alert.created', (_, { data }) => data.id),
    bind(getAlert, makeGetAlert(deps)),
    bind(listAlertHistory, makeListAlertHistory(deps)),
    bindAudited(updateAlert, makeUpdateAlert(deps), 'alert.changed', ({ params }) => params.alert_id),
    bindAudited(muteAlert, makeMuteAlert(deps), 'alert.muted', ({ params }) => params.alert_id),
    bindAudited(testAlert, makeTestAlert(deps), 'alert.tested', ({ params }) => params.alert_id),
    bindAudited(deleteAlert, makeDeleteAlert(deps), 'alert.deleted', ({ params }) => params.alert_id),
  ];
}
