import type { StoredBytes } from '../../formats/block-file/index.ts';
import type { ZipEntry } from '../../formats/zip.ts';
import type { JobRunner } from '../../pool/index.ts';
import type { ExportRun } from '../export.ts';
import { toSafeName } from '../names/file-name.ts';
import type { CopyJobs } from './copied-image.ts';
import { readOriginal } from './copied-image.ts';
import type { EntryName } from './entry-names.ts';
import { makeEntryNames } from './entry-names.ts';
import type { PlannedImage } from './planned-image.ts';
import { packImage } from './planned-image.ts';

/** An image, and what it is called in the archive after the scene. */
export interface NamedImage {
  readonly name: string;
  readonly image: PlannedImage;
}

/** A metadata file and the name that it gets. */
export interface NamedMetadata {
  readonly name: EntryName;
  readonly file: StoredBytes;
}

/** What goes into an archive. */
export interface Archive {
  readonly viewId: string;
  readonly images: readonly NamedImage[];
  readonly metadata: readonly NamedMetadata[];
}

/** Where and how an archive is made. */
interface Packing {
  /** Takes temporary files. */
  readonly folder: string;
  readonly pool: JobRunner<CopyJobs>;
  readonly run: ExportRun;
}

/** The entries of an archive, each made when the one before is packed. */
export async function* packArchive(
  { viewId, images, metadata }: Archive,
  { folder, pool, run }: Packing,
): AsyncGenerator<ZipEntry> {
  const toName = makeEntryNames();
  const scene = toSafeName(viewId.replaceAll('/', '-'));
  let done = 0;
  for (const { name, image } of images) {
    const before = done;
    const own = { ...run, onProgress: (blocks: number) => run.onProgress(before + blocks) };
    const entry = toName({ stem: `${scene}_${name}`, extension: image.extension });
    for await (const source of packImage(image, folder, own)) yield { name: entry, source };
    done += image.blocks;
  }
  for (const { name, file } of metadata) {
    const bytes = await readOriginal(file, pool, run.ticket);
    yield { name: toName(name), source: { bytes, deflate: true } };
    run.onProgress(++done);
  }
}
