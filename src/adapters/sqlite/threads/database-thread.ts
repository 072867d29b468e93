/**
 * A thread with its own connection. `node:sqlite` is synchronous: long reads, and work that waits for a lock or the disk,
 * run here, so that they never block the main thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { fromWire, isUnavailable, toWire } from '../../../errors.ts';
import { BUSY_TIMEOUT_MS, connectThread, inTransaction, sharedNowMs } from '../connection.ts';
import { explainSqlite } from '../explain-sqlite.ts';
import type { Answer, Operations, Question } from './operations.ts';
import { makeOperations, PASSING, SHARING, withoutSync } from './operations.ts';

const { path } = workerData as { readonly path: string };

/** A connection and its operations. */
interface Connected {
  readonly database: DatabaseSync;
  readonly operations: Operations;
}
let connected: Connected | undefined;

/** Connects on the first call, and again after `drop`: a directory that cannot be used now may be usable later. */
function connect(): Connected {
  if (connected === undefined) {
    const database = connectThread(path);
    try {
      connected = { database, operations: makeOperations(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  }
  return connected;
}

/** Closes the connection. SQLite opens a write-protected file read-only, and only a new connection can write later. */
function drop(): void {
  connected?.database.close();
  connected = undefined;
}

/** Max rows of one commit; with more, other writers would wait for more than a few seconds. */
const MAX_ROWS = 24_000;

/** This long after the last write the log is moved into the file: reads through a long log take twice the time. */
const QUIET_MS = 1_000;
let tidying: NodeJS.Timeout | undefined;

parentPort?.on('message', handle);

function handle(question: Question | 'close'): void {
  if (question === 'close') {
    clearTimeout(tidying);
    drop();
    parentPort?.close();
  } else if (SHARING.has(question.name)) {
    writeTogether(question);
    if (question.name === 'putScenes') tidyLater();
  } else {
    parentPort?.postMessage(answer(question));
    if (question.name === 'putDemFiles') tidyLater();
  }
}

function tidyLater(): void {
  clearTimeout(tidying);
  tidying = setTimeout(tidy, QUIET_MS).unref();
}

/** Moves the log into the file, except for what readers still need; skipped while another process writes. */
function tidy(): void {
  try {
    connected?.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // The log grows until SQLite itself moves it; nothing is lost.
  }
}

function answer({ id, name, args, askedMs }: Question): Answer {
  try {
    const { database, operations } = connect();
    const operation = operations[name] as (...values: readonly unknown[]) => unknown;
    limitWaiting(database, askedMs);
    return { id, result: operation(...args) };
  } catch (error) {
    return { id, error: toWire(explained(error)) };
  }
}

/** The shortest wait for a lock, also after a long wait in the queue: it covers another program's write. */
const MIN_WAIT_MS = 200;

/**
 * The wait for a lock includes the time in the queue: while another program holds the database, all calls are refused
 * after five seconds, and not one after the other.
 */
function limitWaiting(database: DatabaseSync, askedMs: number): void {
  const leftMs = Math.max(MIN_WAIT_MS, BUSY_TIMEOUT_MS - (sharedNowMs() - askedMs));
  database.exec(`PRAGMA busy_timeout = ${Math.round(leftMs)}`);
}

/** Explains an error; after one of a read-only database the next call connects again. */
function explained(error: unknown): unknown {
  const sentence = explainSqlite(error, path);
  if (isUnavailable(sentence) && sentence.code === 'store-read-only') drop();
  return sentence;
}

/**
 * Waiting writes share a commit: each index page that they change is written once for all of them, and they wait for the
 * disk once. Each write is stored completely or not at all, and is answered when it is on disk. Writes to a cache do not
 * wait for the disk: they share commits of their own, or that of a write that waits.
 */
function writeTogether(first: Question): void {
  const isPassing = PASSING.has(first.name);
  const mayJoin = ({ name }: Question): boolean => SHARING.has(name) && (!isPassing || PASSING.has(name));
  const asked: Question[] = [];
  let answers: readonly Answer[];
  let other: Question | 'close' | undefined;
  try {
    const { database } = connect();
    limitWaiting(database, first.askedMs);
    const collect = (): readonly Answer[] => {
      const given: Answer[] = [];
      let rows = 0;
      for (let question: Question | undefined = first; question !== undefined; ) {
        asked.push(question);
        const one = answer(question);
        // A full disk rolls back the whole transaction: nothing is stored.
        if (!database.isTransaction) throw 'error' in one ? fromWire(one.error) : new Error('no transaction');
        given.push(one);
        rows += countRows(question);
        const next = rows < MAX_ROWS ? receive() : undefined;
        question = next !== undefined && next !== 'close' && mayJoin(next) ? next : undefined;
        if (question === undefined) other = next;
      }
      return given;
    };
    const commit = (): readonly Answer[] => inTransaction(database, collect);
    answers = isPassing ? withoutSync(database, commit) : commit();
  } catch (error) {
    const wire = toWire(explained(error));
    // No transaction could be begun.
    if (asked.length === 0) asked.push(first);
    answers = asked.map(({ id }) => ({ id, error: wire }));
  }
  for (const one of answers) parentPort?.postMessage(one);
  if (other !== undefined) handle(other);
}

const countRows = ({ name, args }: Question): number =>
  name === 'putScenes' ? (args[0] as readonly unknown[]).length : 1;

const receive = (): Question | 'close' | undefined =>
  parentPort === null
    ? undefined
    : (receiveMessageOnPort(parentPort)?.message as Question | 'close' | undefined);
