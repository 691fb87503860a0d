import type { Command } from 'commander';
import { CliError } from '../cli-error.js';
import type { CommandContext } from './command-context.js';

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly advice?: string;
}

/** Response of `/doctor` of the admin port, and of a process that does not respond. */
interface Diagnosis {
  readonly url: string;
  readonly service?: string;
  readonly version?: string;
  readonly node?: string;
  readonly now?: string;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

const MAX_CLOCK_DIFFERENCE_MS = 60_000;

export function addDoctor(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'checks every process at ASSAY_ADMIN_URL (several: separated by commas) and what it depends on',
    )
    .action(async () => {
      const { adminUrls } = context.api().settings;
      const diagnoses = await Promise.all(adminUrls.map((url) => diagnose(context, url)));
      const ok = diagnoses.every((one) => one.ok);
      context.output.result({ ok, processes: diagnoses }, () => diagnoses.flatMap(linesOf));
      if (!ok) context.exitWith(1);
    });
}

/** A process that does not respond is a finding, so that the others are reported. */
async function diagnose({ api, output }: CommandContext, url: string): Promise<Diagnosis> {
  output.progress(`checking ${new URL(url).origin}`);
  try {
    const diagnosis = await api().call<Diagnosis>({ path: '/doctor', as: 'nobody', url });
    const findings = [...diagnosis.findings, clockOf(diagnosis)];
    return { ...diagnosis, url, findings, ok: findings.every(({ ok }) => ok) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { url, ok: false, findings: [{ name: 'process', ok: false, detail: error.message }] };
  }
}

function clockOf({ now }: Diagnosis): Finding {
  const difference = Date.parse(now ?? '') - Date.now();
  const ok = Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS;
  if (ok) return { name: 'clock', ok, detail: 'agrees with this machine' };
  const detail = `is ${Math.round(difference / 1_000)} s ahead of this machine`;
  return { name: 'clock', ok, detail, advice: 'synchronise both clocks, for example with NTP' };
}

function linesOf({ url, service, version, node, findings }: Diagnosis): string[] {
  const title = service === undefined ? url : `${service} ${version ?? ''} at ${url}, Node ${node ?? ''}`;
  return [
    title,
    ...findings.flatMap(({ name, ok, detail, advice }) => [
      `  ${ok ? 'ok   ' : 'FAULT'}  ${name}: ${detail}`,
      ...(advice ? [`         ${advice}`] : []),
    ]),
  ];
}
