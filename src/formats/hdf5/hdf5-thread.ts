import { Worker } from 'node:worker_threads';
import { fromWire } from '../../errors.ts';
import type { ArrayFile } from '../array-file.ts';
import { badInput, sourceBroken, timedOut } from '../errors.ts';
import type { Hdf5Answer, Hdf5Request } from './hdf5-worker.ts';

/** Reads HDF5 and NetCDF 4 files, one at a time. */
export interface Hdf5Thread {
  /** Opens a file of this machine; the file opened before is closed. */
  open(path: string): Promise<ArrayFile>;
  close(): Promise<void>;
}

/** A read of at most 64 MB takes seconds; a file that takes longer makes the library run in circles. */
const TIMEOUT_MS = 60_000;

type Question<R = Hdf5Request> = R extends Hdf5Request ? Omit<R, 'id'> : never;

/**
 * Builds the reader. The HDF5 library runs in WebAssembly on a thread of its own: a damaged file that crashes it or makes
 * it hang costs the thread, not the process, and the next file gets a new one.
 */
export function makeHdf5Thread({ timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Hdf5Thread {
  let worker: Worker | null = null;
  let lastId = 0;
  let isBusy = false;

  const stop = async (): Promise<void> => {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./hdf5-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    // A thread that waits must not hold the process.
    started.unref();
    return started;
  };

  const ask = async (question: Question): Promise<Hdf5Answer> => {
    if (isBusy) throw badInput('hdf5-busy', 'Only one part of an HDF5 file is read at a time.');
    isBusy = true;
    worker ??= start();
    const asked = worker;
    asked.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Hdf5Answer>();
    const onFailure = (cause?: unknown): void =>
      reject(
        sourceBroken('hdf5-damaged', 'The HDF5 or NetCDF 4 file is damaged: its reader failed.', {
          cause: cause instanceof Error ? cause : undefined,
        }),
      );
    const timer = setTimeout(
      () => reject(timedOut('hdf5-timeout', `The HDF5 file was not read within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    asked.once('message', resolve).once('error', onFailure).once('exit', onFailure);
    try {
      lastId += 1;
      asked.postMessage({ ...question, id: lastId });
      const answer = await promise;
      // An error leaves the library in an unknown state.
      if ('error' in answer) throw fromWire(answer.error);
      return answer;
    } catch (error) {
      await stop();
      throw error;
    } finally {
      clearTimeout(timer);
      asked.off('message', resolve).off('error', onFailure).off('exit', onFailure);
      asked.unref();
      isBusy = false;
    }
  };

  return {
    async open(path) {
      const answer = await ask({ kind: 'open', path });
      if (!('contents' in answer)) throw badInput('hdf5-answer', 'The reader of HDF5 files answered amiss.');
      return {
        ...answer.contents,
        async read({ name }, part) {
          const read = await ask({ kind: 'read', name, part });
          if (!('values' in read)) throw badInput('hdf5-answer', 'The reader of HDF5 files answered amiss.');
          return read.values;
        },
        async close() {},
      };
    },
    close: stop,
  };
}
