/** The shapes of a file that a user brought: a worker reads it, for a bounded time. */
import type { Shape } from '../shapes/shape.ts';
import type { ImportAnswer } from './import-worker.ts';
import { parseKml } from './parse-kml.ts';
import { Refusal } from './refusal.ts';

/** A file of a million points takes a second or two on a desk, and several times that on a phone. */
const MAX_READ_MS = 60_000;

const askWorker = async (bytes: Uint8Array<ArrayBuffer>): Promise<ImportAnswer> => {
  const worker = new Worker(new URL(IMPORT_WORKER_URL, location.href), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<ImportAnswer>();
  const timer = setTimeout(() => reject(new Refusal('too-slow')), MAX_READ_MS);
  worker.onmessage = ({ data }: MessageEvent<ImportAnswer>) => resolve(data);
  worker.onerror = (event) => reject(new Error(event.message || 'The reader of files could not be loaded.'));
  worker.postMessage(bytes, [bytes.buffer]);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
};

/** Reads the file, at least one shape; throws a `Refusal`. */
export const importFile = async (file: File): Promise<readonly Shape[]> => {
  const answer = await askWorker(new Uint8Array(await file.arrayBuffer()));
  if (answer.kind === 'refused') throw new Refusal(answer.reason, answer.detail);
  if (answer.kind === 'failure') throw new Error(answer.reason);
  const shapes = [...answer.shapes, ...answer.kml.flatMap(parseKml)];
  if (shapes.length === 0) throw new Refusal('no-shapes');
  return shapes;
};
