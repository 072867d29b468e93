import type { StoredBytes } from '../../formats/block-file/index.ts';
import type { ZipEntry } from '../../formats/zip.ts';
import type { JobRunner } from '../../pool/index.ts';
import type { ExportRun } from '../export.ts';
import { toSafeName } from '../export.ts';
import type { CopyJobs } from './copied-image.ts';
import { readOriginal } from './copied-image.ts';
import type { PlannedImage } from './planned-image.ts';
import { packImage } from './planned-image.ts';

/** What goes into an archive. */
export interface Archive {
  readonly viewId: string;
  readonly images: readonly NamedImage[];
  readonly metadata: readonly NamedMetadata[];
}

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

/** Characters of a whole file name, with its extension. */
const MAX_CHARACTERS = 120;

/** The name of a file in an archive, before it is cut to length and numbered. */
interface EntryName {
  readonly stem: string;
  /** Without the dot. */
  readonly extension: string;
}

/** A text of a caller as a name that every system unpacks: ASCII letters and digits, dots, hyphens and underscores. */
function toPlainName(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .trim()
    .replaceAll(/\s+/gu, '_')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[._-]+|[._-]+$/g, '');
}

/** Builds the names of one archive, which differ on systems that ignore case too. */
export function makeEntryNames(): (name: EntryName) => string {
  const taken = new Set<string>();
  return ({ stem, extension }) => {
    for (let number = 1; ; number++) {
      const end = `${number === 1 ? '' : `_${number}`}.${extension}`;
      const name = `${stem.slice(0, MAX_CHARACTERS - end.length).replaceAll(/[._-]+$/g, '')}${end}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  };
}

/** The last part of an address, after its last dot. */
const extensionOf = (url: string): string => /\.([A-Za-z0-9]{1,10})$/.exec(url)?.[1] ?? 'txt';

/** A label as a name: with the extension of the file, whatever the label says. */
export function toMetadataName(label: string, url: string): EntryName {
  const extension = extensionOf(url);
  const plain = toPlainName(label);
  const hasIt = plain.toLowerCase().endsWith(`.${extension.toLowerCase()}`);
  const stem = hasIt ? plain.slice(0, -extension.length - 1) : plain;
  return { stem: stem === '' ? 'metadata' : stem, extension };
}
