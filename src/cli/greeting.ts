import type { Terminal } from './terminal.ts';

interface Greeting {
  readonly version: string;
  readonly url: string;
  readonly dataDir: string;
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

/** What a person reads when the service has started: where to look, and with which key. */
export function printGreeting(terminal: Terminal, greeting: Greeting): void {
  const { line, style } = terminal;
  const { version, url, dataDir, newKey, worker } = greeting;
  if (worker !== null) {
    printWorkerGreeting(terminal, greeting, worker);
    return;
  }
  line(`${style.bold('Swath')} ${version} is running. Data: ${dataDir}`);
  if (newKey === null) {
    line(
      `  Map   ${style.cyan(`${url}/`)}   ${style.dim('asks for your key; "npm run swath keys create" creates another')}`,
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
