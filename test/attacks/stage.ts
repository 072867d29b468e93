import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDemoData } from '../support/demo-data.ts';
import { startSwath, waitUntilReady } from '../support/start-swath.ts';
import type { Attack, AttackContext, StartOptions } from './attack.ts';
import { Skipped, skip } from './attack.ts';
import { TILE } from './demo-tiles.ts';
import type { Pace } from './patience.ts';
import { toLimitMs } from './patience.ts';
import { ask } from './polite.ts';
import type { Keyring, Target } from './target.ts';
import { createKeys, MARKED_KEY, toTarget } from './target.ts';

/** What became of one attack. */
export interface Outcome {
  readonly attack: Attack;
  readonly verdict: 'ok' | 'NOT OK' | 'skipped';
  /** What was seen, or why it was skipped. */
  readonly saw: string;
  readonly seconds: number;
}

/** The shared server, and all that attacks run on. */
export interface Stage {
  readonly server: Target;
  readonly keys: Keyring;
  run(attack: Attack): Promise<Outcome>;
  /** Everything that every server has printed so far. */
  printed(): string;
  [Symbol.asyncDispose](): Promise<void>;
}

type Judging = Pick<AttackContext, 'isTimed' | 'isSoak'>;

/** Longest time of one attack where time is judged; the longest waits for the end of idle connections after 30 s. */
const LONGEST_MS = 90_000;
/** How soon after an attack everything is as it was, where time is judged. */
const RECOVERY_MS = 5_000;

/** Starts the shared server over a copy of the small demo, with the keys of four callers. */
export async function openStage({ isTimed = true, isSoak = false }: Partial<Judging> = {}): Promise<Stage> {
  const dataDir = await makeDemoData();
  const keys = await createKeys(dataDir);
  const started: Target[] = [];
  let server = await startTarget({ dataDir, isTimed });
  started.push(server);
  const hasAddresses = await canConnectFrom('127.0.0.2', server.port);
  let lastAddress = 1;

  const printed = (): string => started.map((target) => target.output()).join('\n');
  const makeContext = (cleanings: (() => void | Promise<void>)[]): AttackContext => ({
    server,
    keys,
    async start(options = {}) {
      const directory = options.dataDir ?? (await makeDemoData());
      if (options.dataDir === undefined)
        cleanings.push(() => rmSync(directory, { recursive: true, force: true }));
      const target = await startTarget({ ...options, dataDir: directory, isTimed });
      started.push(target);
      cleanings.push(async () => void (await target.stop('SIGKILL')));
      return target;
    },
    addresses(count) {
      if (!hasAddresses) skip('this system has no loopback address but 127.0.0.1');
      return Array.from({ length: count }, () => {
        lastAddress += 1;
        return `127.${100 + (lastAddress >> 16)}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
      });
    },
    printed,
    isTimed,
    isSoak,
    defer: (clean) => void cleanings.push(clean),
  });

  /** The next attack must not suffer for this one: a server that does not recover is replaced. */
  async function recover(): Promise<boolean> {
    if (await isWell(server, keys.carol)) return true;
    await server.stop('SIGKILL');
    server = await startTarget({ dataDir, isTimed });
    started.push(server);
    return false;
  }

  return {
    get server() {
      return server;
    },
    keys,
    printed,
    async run(attack) {
      const cleanings: (() => void | Promise<void>)[] = [];
      const startedAt = performance.now();
      const finish = (verdict: Outcome['verdict'], saw: string): Outcome => ({
        attack,
        verdict,
        saw,
        seconds: (performance.now() - startedAt) / 1000,
      });
      let outcome: Outcome;
      try {
        const { ok, saw } = await withinTime(
          attack.run(makeContext(cleanings)),
          toLimitMs(LONGEST_MS, { isTimed }),
        );
        outcome = finish(ok ? 'ok' : 'NOT OK', saw);
      } catch (error) {
        if (error instanceof Skipped) outcome = finish('skipped', error.message);
        else outcome = finish('NOT OK', `the attack itself failed: ${(error as Error).message}`);
      } finally {
        for (const clean of cleanings.reverse()) await clean();
      }
      if (await recover()) return outcome;
      return {
        ...outcome,
        verdict: 'NOT OK',
        saw: `${outcome.saw}; the server did not recover within ${toLimitMs(RECOVERY_MS, { isTimed }) / 1000} s and was started again`,
      };
    },
    async [Symbol.asyncDispose]() {
      await server.stop('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startTarget({
  dataDir,
  env,
  prepare,
  isTimed,
}: StartOptions & Pace & { readonly dataDir: string }): Promise<Target> {
  await prepare?.(dataDir);
  // A log that says everything is where a key would leak.
  const swath = await startSwath({
    dataDir,
    env: {
      SWATH_API_KEY: MARKED_KEY,
      SWATH_THREADS: '2',
      SWATH_LOG: 'debug',
      // The default, as operators have it.
      ...(isTimed ? { SWATH_RENDER_TIMEOUT_MS: '10000' } : {}),
      ...env,
    },
  });
  await waitUntilReady(swath.url);
  return toTarget(swath, { isTimed });
}

async function withinTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it took longer than ${limitMs / 1000} s`)), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Linux answers on all of 127.0.0.0/8; other systems have one address unless somebody adds more. */
function canConnectFrom(localAddress: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Whether the server serves strangers again; what is under way may end first. */
async function isWell(target: Target, key: string): Promise<boolean> {
  const until = performance.now() + toLimitMs(RECOVERY_MS, target);
  const isGone = (): boolean => target.process.exitCode !== null || target.process.signalCode !== null;
  while (performance.now() < until && !isGone()) {
    const health = await ask(target, '/healthz', { timeoutMs: 2_000 });
    const picture = await ask(target, TILE, { key, timeoutMs: 2_000 });
    if (health.status === 200 && picture.status === 200) return true;
    await sleep(100);
  }
  return false;
}
