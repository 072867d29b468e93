import { readdirSync, readFileSync } from 'node:fs';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { makeKeys } from '../../src/keys/index.ts';
import { settings } from '../../src/settings/settings.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import type { Pace } from './patience.ts';

/** A server under attack. */
export interface Target extends RunningSwath, Pace {
  readonly port: number;
  readonly pid: number;
}

/** Keys of five callers; the marked one is the configured key, which no log may ever hold. */
export interface Keyring {
  readonly marked: string;
  readonly alice: string;
  readonly bob: string;
  readonly carol: string;
  /** May only read. */
  readonly reader: string;
}

/** Not of the form `apk.…`, which redaction by pattern would catch: what is looked for is the key itself. */
export const MARKED_KEY = 'marked-key-7f3a9c21d4e86b05';

/** A running server with what an attack measures of it. */
export const toTarget = (swath: RunningSwath, { isTimed }: Pace): Target => ({
  ...swath,
  isTimed,
  port: Number(new URL(swath.url).port),
  pid: swath.process.pid as number,
});

/** Creates the keys of the four other callers in a data directory that no server uses yet. */
export async function createKeys(dataDir: string): Promise<Keyring> {
  const store = openSqliteStore(dataDir);
  try {
    const keys = makeKeys({ store: store.keys, configuredSecret: null, now: () => new Date() });
    const create = async (label: string): Promise<string> => (await keys.create({ label })).secret;
    const [alice, bob, carol] = [await create('alice'), await create('bob'), await create('carol')];
    const { secret: reader } = await keys.create({ label: 'reader', role: 'read' });
    return { marked: MARKED_KEY, alice, bob, carol, reader };
  } finally {
    await store.close();
  }
}

/** Resident memory of a process in MiB; null where there is no /proc. */
export function readRssMb({ pid }: Pick<Target, 'pid'>): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return null;
  }
}

/**
 * Milliseconds of processor time that the main thread of a process has used; null where there is no /proc. Unlike times
 * on the wall, it is nearly the same on a busy machine.
 */
export function readMainThreadMs({ pid }: Pick<Target, 'pid'>): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return null;
  }
}

/** Open file descriptors of a process; null where there is no /proc. */
export function countDescriptors({ pid }: Pick<Target, 'pid'>): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return null;
  }
}

/** The variable of the first setting whose name matches, or null when this version has none. */
export const findSetting = (pattern: RegExp): string | null =>
  Object.values(settings).find(({ variable }) => pattern.test(variable))?.variable ?? null;

/** A line of the log, as pino writes it. */
export interface LogLine {
  readonly level: number | string;
  readonly msg: string;
  readonly path?: string;
  readonly err?: { readonly message?: string; readonly code?: string };
}

/** The JSON lines of what a server printed; what is not JSON is for people. */
export function readLog(output: string): readonly LogLine[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line) as LogLine];
    } catch {
      return [];
    }
  });
}

/** Whether a line says more than that something went as it should. */
export const isAboveInfo = ({ level }: LogLine): boolean =>
  typeof level === 'number' ? level > 30 : ['warn', 'error', 'fatal'].includes(level);
