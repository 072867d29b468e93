import { rm } from 'node:fs/promises';
import { nodeFiles, writeChunks } from '../../files/index.ts';
import type { ZipSource } from '../../formats/zip.ts';
import type { ExportRun } from '../export.ts';

/** A file of an order that is planned: alone or in an archive. */
export interface PlannedImage {
  readonly extension: 'TIF' | 'jp2';
  readonly estimatedBytes: number;
  /** What `onProgress` of the run counts up to. */
  readonly blocks: number;
  readonly content: StreamedContent | WrittenContent;
}

/** Bytes that are made in their order, and whose number is known. */
export interface StreamedContent {
  readonly kind: 'streamed';
  readonly bytes: number;
  chunks(run: ExportRun): AsyncIterable<Uint8Array>;
}

/** Bytes that take a file to be made: what stands first is known last. */
export interface WrittenContent {
  readonly kind: 'written';
  /** Writes the whole file, as `PlannedExport.write` does. */
  write(path: string, run: ExportRun): Promise<void>;
}

/** Writes a file of its own. */
export async function writeImage({ content }: PlannedImage, path: string, run: ExportRun): Promise<void> {
  if (content.kind === 'written') return content.write(path, run);
  await writeChunks(path, content.chunks(run), { signal: run.ticket.signal });
}

/** Calls `use` with what an archive needs of the file; a temporary file in the folder exists only meanwhile. */
export async function* packImage(
  { content }: PlannedImage,
  folder: string,
  run: ExportRun,
): AsyncGenerator<ZipSource> {
  if (content.kind === 'streamed') {
    yield { chunks: content.chunks(run), size: content.bytes };
    return;
  }
  const { path, file } = await nodeFiles.createTemporary(folder);
  await file.close();
  try {
    await content.write(path, run);
    yield { path };
  } finally {
    await rm(path, { force: true });
  }
}
