/** `swath export`: its command, and how scenes are written as STAC items. */

import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Scene } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import { writeChunks } from '../files/index.ts';
import { makeCollectionExtents, makeToAddress, streamItems, toStacItem } from '../ingest/index.ts';
import { command, option, topic, withDefault } from './command.ts';
import { badInput } from './errors.ts';
import { parseChoice } from './parse-values.ts';
import type { Terminal } from './terminal.ts';

/** The option of commands that may concern one dataset. */
export const dataset = option('--dataset ID', 'only this dataset');

/** `swath export`. */
export const exportTopic = topic({
  name: 'export',
  summary: 'write the catalog as STAC items',
  about: [],
  commands: [
    command('export', {
      about:
        'Writes the catalog as STAC items to standard output or a file: one per line (ndjson), or as one table (geoparquet, as stac-geoparquet and rustac read it). Next to the file it writes their collections, as <dataset>.collection.json. "swath ingest stac FILE" reads the items again; the name of a table ends in .parquet.',
      options: {
        dataset,
        format: withDefault(
          option(
            '--format FORMAT',
            'ndjson (the default) or geoparquet',
            parseChoice('ndjson', 'geoparquet'),
          ),
          'ndjson' as const,
        ),
        output: option('-o, --output FILE', 'write to FILE in place of standard output'),
      },
    }),
  ],
});

interface ExportDeps {
  readonly terminal: Terminal;
  /** Where items go when no file is named. */
  readonly out: Writable;
  readonly dataDir: string;
  /** Mode of the files. */
  readonly outputMode: number;
}

interface ExportOptions {
  readonly format: 'ndjson' | 'geoparquet';
  /** The file; null for standard output. */
  readonly output: string | null;
}

/** Writes scenes as STAC items; next to a file, the collections that they belong to. */
export async function exportScenes(
  list: () => AsyncIterable<Scene>,
  { format, output }: ExportOptions,
  { terminal, out, dataDir, outputMode }: ExportDeps,
): Promise<void> {
  // Other readers of STAC do not know our data directory.
  const toAddress = makeToAddress(dataDir);
  const extents = makeCollectionExtents();
  let count = 0;
  async function* items(): AsyncGenerator<Readonly<Record<string, unknown>>> {
    count = 0;
    for await (const scene of list()) {
      count += 1;
      extents.add(scene);
      yield toStacItem(scene, { toAddress });
    }
  }
  const toCollections = () =>
    Object.fromEntries(extents.list().map(({ collection }) => [String(collection.id), collection]));
  const chunks = format === 'geoparquet' ? streamItems(items, toCollections) : toChunks(toLines(items()));
  if (output === null) {
    await pipeline(chunks, out, { end: false });
    return;
  }
  // A run that fails leaves an older export as it was. The process makes private files; these are its caller's.
  const write = (path: string, bytes: AsyncIterable<Uint8Array>) =>
    writeChunks(path, bytes, { mode: outputMode }).catch((cause: unknown) => {
      if (isSwathError(cause) && cause.code !== 'write-failed' && cause.code !== 'no-space') throw cause;
      throw badInput('export-not-written', `The export could not be written to ${path}.`, { cause });
    });
  await write(output, chunks);
  const collections = extents.list();
  for (const { name, collection } of collections) {
    const text = `${JSON.stringify(collection, null, 2)}\n`;
    await write(join(dirname(output), name), Readable.from([Buffer.from(text)]));
  }
  const names = collections.map(({ name }) => name).join(', ');
  terminal.note(
    count === 0
      ? `There are no scenes to export: ${output} is empty. "swath scenes list" shows what there is.`
      : `Wrote ${count} STAC items to ${output}, and next to it ${names}.`,
  );
}

async function* toLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

/** Lines are written together: each would be a call of the system. */
const CHUNK_LENGTH = 64 * 1024;

async function* toChunks(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK_LENGTH) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  yield Buffer.from(waiting);
}
