import { setTimeout as sleep } from 'node:timers/promises';
import { findQuietPort } from '../../support/quiet-port.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { ONE_THREAD, startSwath } from '../../support/start-swath.ts';

/** Processes over one store: one that takes requests and works on tasks, and others that only work. */
export interface Fleet extends AsyncDisposable {
  /** Where requests go; the same after every restart. */
  readonly url: string;
  /** Kills a process and starts it again; resolves when it is up. */
  kill(index: number): Promise<void>;
  /** Stops a process, as a machine that hangs, and lets it go on. */
  freeze(index: number, ms: number): Promise<void>;
  readonly size: number;
  /** Ends all processes as an operator does; their exit statuses. */
  stop(): Promise<readonly (number | NodeJS.Signals)[]>;
  /** What the processes have printed that are running now. */
  output(): string;
}

interface FleetOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly workers: number;
  readonly leaseMs: number;
}

/** Starts the fleet. */
export async function startFleet({ dataDir, databaseUrl, workers, leaseMs }: FleetOptions): Promise<Fleet> {
  const port = await findQuietPort();
  const env = {
    ...ONE_THREAD,
    SWATH_LOG: 'warn',
    SWATH_TASK_LEASE_MS: String(leaseMs),
    SWATH_TASKS_PER_KEY: '0',
    SWATH_WRITES_PER_MINUTE: '0',
    SWATH_STATISTICS_PER_MINUTE: '0',
    ...(databaseUrl === null ? {} : { SWATH_DATABASE_URL: databaseUrl }),
  };
  const start = (index: number): Promise<RunningSwath> =>
    startSwath({
      dataDir,
      env:
        index === 0
          ? { ...env, SWATH_PORT: String(port), SWATH_DRAIN_MS: '5000' }
          : { ...env, SWATH_ROLES: 'worker', SWATH_DRAIN_MS: '5000' },
    });
  const running: RunningSwath[] = [];
  for (let index = 0; index <= workers; index += 1) running.push(await start(index));
  const at = (index: number): RunningSwath => running[index] as RunningSwath;

  return {
    url: `http://127.0.0.1:${port}`,
    size: running.length,
    async kill(index) {
      await at(index).stop('SIGKILL');
      running[index] = await start(index);
    },
    async freeze(index, ms) {
      at(index).process.kill('SIGSTOP');
      await sleep(ms);
      at(index).process.kill('SIGCONT');
    },
    stop: () => Promise.all(running.map((process) => process.stop())),
    output: () => running.map((process) => process.output()).join(''),
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((process) => process.stop('SIGKILL')));
    },
  };
}
