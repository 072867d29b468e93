import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Scene } from '../catalog/index.ts';
import { badInput, isSwathError } from '../errors.ts';
import { writeChunks } from '../files/index.ts';
import { makeCollectionExtents, makeToAddress, toStacItem } from '../ingest/index.ts';
import type { Terminal } from './terminal.ts';

interface ExportDeps {
  readonly terminal: Terminal;
  /** Where items go when no file is named. */
  readonly out: Writable;
  readonly dataDir: string;
  /** Mode of the files. */
  readonly outputMode: number;
}

/** Writes scenes as STAC items, one a line; next to a file, the collections that they belong to. */
export async function exportScenes(
  scenes: AsyncIterable<Scene>,
  output: string | null,
  { terminal, out, dataDir, outputMode }: ExportDeps,
): Promise<void> {
  // Other readers of STAC do not know our data directory.
  const toAddress = makeToAddress(dataDir);
  const extents = makeCollectionExtents();
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const scene of scenes) {
      count += 1;
      extents.add(scene);
      yield `${JSON.stringify(toStacItem(scene, { toAddress }))}\n`;
    }
  }
  if (output === null) {
    await pipeline(lines, out, { end: false });
    return;
  }
  // A run that fails leaves an older export as it was. The process makes private files; these are its caller's.
  const write = (path: string, texts: AsyncIterable<string>) =>
    writeChunks(path, toChunks(texts), { mode: outputMode }).catch((cause: unknown) => {
      if (isSwathError(cause) && cause.code !== 'write-failed' && cause.code !== 'no-space') throw cause;
      throw badInput('export-not-written', `The export could not be written to ${path}.`, { cause });
    });
  await write(output, lines());
  const collections = extents.list();
  for (const { name, collection } of collections) {
    const text = `${JSON.stringify(collection, null, 2)}\n`;
    await write(join(dirname(output), name), Readable.from([text]));
  }
  const names = collections.map(({ name }) => name).join(', ');
  terminal.note(
    count === 0
      ? `There are no scenes to export: ${output} is empty. "swath scenes list" shows what there is.`
      : `Wrote ${count} STAC items to ${output}, and next to it ${names}.`,
  );
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
