import type { StatusResponse } from '@assay/contracts';
import type { Command } from 'commander';
import { table } from '../output.js';
import type { CommandContext } from './command-context.js';

export function addStatus(program: Command, { api, output }: CommandContext): void {
  program
    .command('status')
    .description('what was accepted, stored, evaluated and forwarded lately (needs ASSAY_API_KEY)')
    .action(async () => {
      const status = await api().call<StatusResponse>({ path: '/v1/status', as: 'project' });
      output.result(status, () => linesOf(status));
    });
}

function linesOf(status: StatusResponse): string[] {
  const { version, plane, queryable_until: queryable, redaction, python, providers } = status;
  const { evaluator_reason: reason } = status;
  const columns = ['STAGE', 'LAST 5 MIN', 'LAST HOUR', 'LAG RECORDS', 'LAG SECONDS', 'COUNTS OF'];
  const rows = status.stages.map((stage) => [
    stage.name,
    stage.last_5_minutes,
    stage.last_hour,
    stage.lag_records,
    stage.lag_seconds,
    stage.scope,
  ]);
  return [
    `Assay ${version} (${plane})`,
    `queryable:  everything accepted before ${queryable ?? 'a time that is not known yet'}`,
    `redaction:  values ${redaction.redact_values ? 'are' : 'are not'} redacted`,
    ...(python ? [`Python:     ${python.reason ?? 'available'}`] : []),
    ...(providers ? [`providers:  ${providers.join(', ') || 'none'}`] : []),
    ...(reason ? [`evaluator:  state not known: ${reason}`] : []),
    '',
    ...table(columns, rows),
  ];
}
