import { shortAverage } from '@assay/domain';
import type { RunScore, RunScoresQuery } from '../../../aggregates-port.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { runScoresQuery, type RunScoreRow } from './run-scores-query.js';

/** Reads the averages of the scores of runs, in one statement. */
export async function readRunScores(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: RunScoresQuery,
): Promise<RunScore[]> {
  if (query.runs.length === 0) return [];
  const rows = await runner.query<RunScoreRow>(runScoresQuery(tables, projectId, query));
  return rows.map(toRunScore);
}

function toRunScore({ run: runId, name, average, scores, ...row }: RunScoreRow): RunScore {
  const { numbers, number_average: numberAverage, trues } = row;
  const booleans = scores - numbers;
  return {
    ...{ runId, name, average: shortAverage(average), scores },
    numbers: { average: shortAverage(numberAverage ?? 0), scores: numbers },
    booleans: { average: booleans === 0 ? 0 : trues / booleans, scores: booleans },
  };
}
