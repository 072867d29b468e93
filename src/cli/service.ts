/** `swath serve` and `swath doctor`: their commands, and what they print. */

import { existsSync } from 'node:fs';
import { command, flag, topic } from './command.ts';
import type { Terminal } from './terminal.ts';

/** `swath serve`. */
export const serve = topic({
  name: 'serve',
  summary: 'start the service (search, map tiles, viewer)',
  about: [
    'Settings are environment variables. The common ones: SWATH_PORT, the port to listen on (8080); SWATH_HOST, the address to listen on (127.0.0.1; 0.0.0.0 for all); SWATH_DATA, the data directory (./data).',
  ],
  commands: [
    command('serve', {
      about:
        'Starts the service. It runs until Ctrl-C or SIGTERM and then finishes the requests in flight. The first start creates an API key, prints the address of the map with it, and fills an empty catalog with the demo world; SWATH_DEMO=off leaves the catalog empty.',
      options: {
        earth: flag(
          '--earth',
          'the real Earth in place of the demo world: scenes from public catalogs without an ingest, and weather from Open-Meteo; stands for SWATH_CATALOGS=earth-search,planetary-computer, SWATH_WEATHER_PROVIDERS=grid,open-meteo and SWATH_DEMO=off, each unless it is set',
        ),
      },
    }),
  ],
});

/** `swath doctor`. */
export const doctor = topic({
  name: 'doctor',
  summary: 'show versions, settings and limits, check the data directory and try live catalogs',
  about: [],
  commands: [
    command('doctor', {
      about:
        'Prints versions, the settings in force and the limits, and checks the data directory: free disk space and every page of the database. It tries each catalog of SWATH_CATALOGS from a search to the first bytes of a file, and says what is wrong. It changes nothing.',
    }),
  ],
  fails: 'something is wrong',
});

/** One line of the report. */
export interface Finding {
  readonly name: string;
  readonly value: string;
  /** False for something that stops Swath from working. */
  readonly ok: boolean;
}

/** A part of the report. */
export interface ReportSection {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Prints the report; true when nothing is wrong. */
export function printReport(sections: readonly ReportSection[], { line, style }: Terminal): boolean {
  const width = Math.max(...sections.flatMap(({ findings }) => findings.map(({ name }) => name.length)));
  for (const { title, findings } of sections) {
    line(style.bold(title));
    for (const { name, value, ok } of findings) {
      line(`  ${ok ? style.green('ok') : style.red('!!')} ${name.padEnd(width)}  ${value}`);
    }
    line();
  }
  const wrong = sections.flatMap(({ findings }) => findings.filter(({ ok }) => !ok));
  line(
    wrong.length === 0 ? style.green('All is well.') : style.red(`${wrong.length} of these need attention.`),
  );
  return wrong.length === 0;
}

interface Greeting {
  readonly version: string;
  readonly url: string;
  readonly dataDir: string;
  /** Catalogs that scenes come from without an ingest, by their titles. */
  readonly catalogs: readonly string[];
  /** A key made at this start; null when there are keys already. */
  readonly newKey: string | null;
  /** For a process that only works on tasks; null for one that answers requests. */
  readonly worker: WorkerGreeting | null;
}

/** What a worker does; addresses hold no passwords. */
export interface WorkerGreeting {
  readonly tasksFrom: string;
  readonly resultsTo: string;
  readonly slots: number;
  readonly hasMetrics: boolean;
}

/** How a person runs another command: a package has no lock file. */
const COMMAND = existsSync(new URL('../../package-lock.json', import.meta.url))
  ? 'npm run swath'
  : 'npx swath';

/** What a person reads when the service has started: where to look, and with which key. */
export function printGreeting(terminal: Terminal, greeting: Greeting): void {
  const { line, style } = terminal;
  const { version, url, dataDir, catalogs, newKey, worker } = greeting;
  if (worker !== null) {
    printWorkerGreeting(terminal, greeting, worker);
    return;
  }
  line(`${style.bold('Swath')} ${version} is running. Data: ${dataDir}`);
  if (catalogs.length > 0) line(`Pictures come live from ${catalogs.join(', then ')}.`);
  if (newKey === null) {
    line(
      `  Map   ${style.cyan(`${url}/`)}   ${style.dim(`asks for your key; "${COMMAND} keys create" creates another`)}`,
    );
  } else {
    line('Here is your first key; it is shown only this once:');
    line();
    line(`  Map   ${style.cyan(`${url}/?api_key=${newKey}`)}`);
  }
  line(`  API   ${style.cyan(`${url}/docs`)}`);
  line();
  line(style.dim('Stop with Ctrl-C.'));
}

/** A worker has neither a map nor an interface: it says what it does instead. */
function printWorkerGreeting(
  { line, style }: Terminal,
  { version, url, dataDir }: Greeting,
  { tasksFrom, resultsTo, slots, hasMetrics }: WorkerGreeting,
): void {
  line(`${style.bold('Swath')} ${version} is running tasks, up to ${slots} at a time. Data: ${dataDir}`);
  line(`  Tasks    from ${tasksFrom}`);
  line(`  Results  to ${resultsTo}`);
  line(`  Health   ${style.cyan(`${url}/healthz`)}   ${style.dim('and /readyz')}`);
  if (hasMetrics) line(`  Metrics  ${style.cyan(`${url}/metrics`)}`);
  line();
  line(
    style.dim('This worker takes no requests or orders; a process with another role does. Stop with Ctrl-C.'),
  );
}
