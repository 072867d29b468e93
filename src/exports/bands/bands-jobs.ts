import { rasterizeArea } from '../../areas/index.ts';
import type { StatedImage, ThreadTools } from '../../blocks/index.ts';
import { checkStamp, checkStatedFile, toOpenedState, toStated } from '../../blocks/index.ts';
import type { Asset } from '../../catalog/index.ts';
import type { SidecarSuffix, StoredBytes, StoredFile } from '../../formats/block-file/index.ts';
import { readStoredFile } from '../../formats/block-file/index.ts';
import { makeJp2Encoder } from '../../formats/jp2/index.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { JobContext, JobHandlers, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { cropGrid } from '../../render/native/index.ts';
import { cancelled } from '../errors.ts';
import type { CopyJobs } from './copied-image.ts';
import { makeCopyBytes } from './copied-image.ts';
import type { EncodePartJobs, Jp2TileJobs } from './encoded-image.ts';
import { makeEncodePart, makeEncodeTile } from './encoded-image.ts';
import type { FindMetadataJob } from './metadata-files.ts';
import { makeFindMetadata } from './metadata-files.ts';
import { makeReadPixels } from './read-pixels.ts';

/** All kinds of jobs of files with bands: what each is given and gives. */
export type BandsJobs = CopyJobs &
  EncodePartJobs &
  Jp2TileJobs & {
    'export-area': JobType<AreaJob, boolean>;
    'export-files': JobType<FilesJob, StoredFile[]>;
    'export-metadata': JobType<FindMetadataJob, StoredBytes[]>;
  };

/** The handlers of files with bands, for a thread of the pool. */
export function makeBandsJobs(tools: ThreadTools): JobHandlers<BandsJobs> {
  const copyBytes = makeCopyBytes(tools);
  const readPixels = makeReadPixels(tools);
  return {
    'export-area': hasAreaPixels,
    'export-bands': makeEncodePart(readPixels, copyBytes),
    'export-copy': async (job, context) => {
      const bytes = await copyBytes(job, context);
      return withTransfer(bytes, [bytes.buffer]);
    },
    'export-files': makeReadFiles(tools),
    'export-jp2': makeEncodeTile(readPixels, makeJp2Encoder()),
    'export-metadata': makeFindMetadata(tools),
  };
}

/** Whether any pixel of a grid has its centre in an area. */
interface AreaJob {
  readonly outline: AreaOutline;
  readonly grid: GeoreferencedGrid;
}

/** Pixels that are looked at in one go: a mask of that many bytes. */
const STRIP_PIXELS = 2 ** 20;

/** Looks strip by strip, from the middle outwards: most areas are found with the first. */
function hasAreaPixels({ outline, grid }: AreaJob, context: Pick<JobContext, 'cancelled'>): boolean {
  const { width, height } = grid;
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  const count = Math.ceil(height / rows);
  const middle = count >> 1;
  const strips = Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  );
  return strips.some((strip) => {
    if (context.cancelled())
      throw cancelled('cancelled', 'The work was stopped: no one waits for it any more.');
    const y = strip * rows;
    const window = { x: 0, y, width, height: Math.min(rows, height - y) };
    return rasterizeArea(outline, cropGrid(grid, window)).includes(1);
  });
}

/** A file of a scene, as its record has it. */
interface RecordedFile {
  readonly href: string;
  readonly sidecars: readonly SidecarSuffix[];
  /** The state of the file with its overviews; absent when the catalog does not know it. */
  readonly stamp?: string;
  /** What the catalog states of a file that nobody has opened yet. */
  readonly stated?: StatedImage;
}

/** What is read of the files of an order before it is planned. */
interface FilesJob {
  readonly files: readonly RecordedFile[];
}

/** The file of a band, as its record has it. */
export function toRecordedFile(asset: Asset): RecordedFile {
  const { href, sidecars = [], stamps } = asset;
  const { stamp } = toOpenedState(stamps === undefined ? { sidecars } : { sidecars, stamps });
  return { href, sidecars, ...(stamp === undefined ? {} : { stamp }), ...toStated(asset) };
}

const versionOf = (file: StoredFile): string =>
  file.format === 'tiff' && file.overviewBytes !== null
    ? `${file.bytes.version} ${file.overviewBytes.version}`
    : file.bytes.version;

/** Builds the reading of headers: on a thread, because a header may be large, or made to take long. */
function makeReadFiles({ open, jp2Decoder }: Pick<ThreadTools, 'open' | 'jp2Decoder'>) {
  return async ({ files }: FilesJob, { signal }: Pick<JobContext, 'signal'>): Promise<StoredFile[]> =>
    Promise.all(
      files.map(async ({ href, sidecars, stamp, stated }) => {
        await checkStatedFile(href, stated, { open, jp2Decoder, signal });
        const file = await readStoredFile({ href, sidecars, open, signal });
        checkStamp(versionOf(file), stamp);
        return file;
      }),
    );
}
