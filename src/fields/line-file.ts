/** Files of JSON, one value in a line: written and read without holding them in memory. */

import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';

/** A file that is being written. */
export interface LineFile {
  /** Adds values; resolves when the file takes more. */
  add(values: Iterable<unknown>): Promise<void>;
  /** Adds text as it is. */
  addText(text: string): Promise<void>;
  /** Resolves when all of it is written. */
  close(): Promise<void>;
}

/** Begins a file. */
export function openLines(path: string): LineFile {
  const file = createWriteStream(path);
  const ended = finished(file);
  // A failed write is told to whoever adds next, or closes.
  ended.catch(() => {});
  async function addText(text: string): Promise<void> {
    if (file.write(text)) return;
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    file.once('drain', resolve);
    await Promise.race([drained, ended]);
  }
  return {
    add: (values) => addText(Array.from(values, (value) => `${JSON.stringify(value)}\n`).join('')),
    addText,
    async close() {
      file.end();
      await ended;
    },
  };
}

/** The lines of a file, one after the other. */
export const readLines = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
