import { chmodSync, createWriteStream, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Scene } from '../catalog/index.ts';
import { badInput, isSwathError } from '../errors.ts';
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
  await replaceFile(output, outputMode, (part) => pipeline(lines, createWriteStream(part)));
  const collections = extents.list();
  for (const { name, collection } of collections) {
    await replaceFile(join(dirname(output), name), outputMode, async (part) =>
      writeFileSync(part, `${JSON.stringify(collection, null, 2)}\n`),
    );
  }
  const names = collections.map(({ name }) => name).join(', ');
  terminal.note(
    count === 0
      ? `There are no scenes to export: ${output} is empty. "swath scenes list" shows what there is.`
      : `Wrote ${count} STAC items to ${output}, and next to it ${names}.`,
  );
}

/** Into a neighbouring file first: a run that fails leaves an older export as it was. */
async function replaceFile(
  path: string,
  mode: number,
  write: (part: string) => Promise<void>,
): Promise<void> {
  const part = `${path}.part`;
  try {
    await write(part);
    // The process makes private files; this one is its caller's.
    chmodSync(part, mode);
    renameSync(part, path);
  } catch (cause) {
    rmSync(part, { force: true });
    if (isSwathError(cause)) throw cause;
    throw badInput('export-not-written', `The export could not be written to ${path}.`, { cause });
  }
}
