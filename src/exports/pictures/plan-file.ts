import { writeChunks } from '../../files/index.ts';
import type { ZipEntry } from '../../formats/zip.ts';
import { writeZip } from '../../formats/zip.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import type { PaintedScene, Painter, PlannedPicture } from '../../render/index.ts';
import type { TopJobs } from '../cog/encode-top.ts';
import type { ExportRun, PlannedExport } from '../export.ts';
import { toFileName } from '../names/file-name.ts';
import { countStrips, encodeStrips } from './encode-strips.ts';
import { toOverlayKml } from './overlay-kml.ts';
import type { PictureJobs } from './picture-jobs.ts';
import type { PictureFile, PictureOrder } from './picture-order.ts';
import { toWorldFile, WEB_MERCATOR_WKT } from './world-files.ts';
import { planPictureCog, writePictureCog } from './write-picture-cog.ts';

/** A picture whose pixels are planned. */
interface PlannedPixels {
  readonly grid: Grid;
  /** Of a tile of the picture. */
  readonly planned: PlannedPicture;
  readonly painter: Painter;
  readonly pool: JobRunner<PictureJobs & TopJobs>;
}

/** What is different from one kind of file to the other. */
interface FilePlan {
  readonly extension: string;
  readonly contentType: string;
  /** Bytes of a pixel that are seldom exceeded. */
  readonly pixelBytes: number;
  readonly blocks: number;
  write(path: string, painted: PaintedScene, run: ExportRun): Promise<unknown>;
}

/** Seldom exceeded by land; noise takes more in a JPEG, and as much in the others. */
const PIXEL_BYTES = { jpeg: 1, png: 4, tiff: 5.4 } as const;
/** Headers, and texts next to an image. */
const FIXED_BYTES = 4_096;

/** Plans the file of a picture. */
export function planFile(order: PictureOrder, pixels: PlannedPixels): PlannedExport {
  const { grid, planned, painter } = pixels;
  const { bands: combination, nameAlias, file } = order;
  const toName = (extension: string): string =>
    toFileName({ viewId: planned.scene.viewId, nameAlias, combination, extension });
  const { extension, contentType, pixelBytes, blocks, write } = planKind(file, toName, pixels);
  return {
    fileName: toName(extension),
    contentType,
    estimatedBytes: Math.ceil(grid.width * grid.height * pixelBytes) + FIXED_BYTES,
    blocks,
    async write(path, run) {
      await painter.paint(planned, run.ticket, (painted) => write(path, painted, run));
    },
  };
}

type ToName = (extension: string) => string;

function planKind(file: PictureFile, toName: ToName, { grid, pool }: PlannedPixels): FilePlan {
  if (file.kind === 'image' && file.format === 'tiff') {
    const cog = planPictureCog(grid);
    return {
      extension: 'tiff',
      contentType: 'image/tiff',
      pixelBytes: PIXEL_BYTES.tiff,
      blocks: cog.blockCount,
      write: (path, painted, run) => writePictureCog({ path, cog, grid, painted }, pool, run),
    };
  }
  const format = file.kind === 'kmz' ? 'png' : (file.format as 'jpeg' | 'png');
  const image = (painted: PaintedScene, run: ExportRun) => encodeStrips({ painted, grid, format }, pool, run);
  const common = { pixelBytes: PIXEL_BYTES[format], blocks: countStrips(grid) };
  if (file.kind === 'image') {
    return {
      ...common,
      extension: format,
      contentType: `image/${format}`,
      write: (path, painted, run) => writeChunks(path, image(painted, run), toSignal(run)),
    };
  }
  const toEntries = file.kind === 'kmz' ? toKmzEntries : toWorldEntries;
  return {
    ...common,
    extension: file.kind === 'kmz' ? 'kmz' : 'zip',
    contentType: file.kind === 'kmz' ? 'application/vnd.google-earth.kmz' : 'application/zip',
    write: (path, painted, run) =>
      writeZip(path, toEntries({ grid, toName, format, chunks: image(painted, run) }), toSignal(run)),
  };
}

const toSignal = ({ ticket: { signal } }: ExportRun) => (signal === undefined ? {} : { signal });

/** An image in an archive. */
interface PackedImage {
  readonly grid: Grid;
  readonly toName: ToName;
  readonly format: 'jpeg' | 'png';
  readonly chunks: AsyncIterable<Uint8Array>;
}

const toText = (text: string) => ({ bytes: Buffer.from(text), deflate: true });

/** The image first, because all that can fail is there. */
const toWorldEntries = ({ grid, toName, format, chunks }: PackedImage): readonly ZipEntry[] => {
  // Programs find a world file by the name of its image: both are cut to the length of the longer one.
  const name = toBaseName(toName(`${format}w`));
  return [
    { name: `${name}.${format}`, source: { chunks } },
    { name: `${name}.${format}w`, source: toText(toWorldFile(grid)) },
    { name: `${name}.prj`, source: toText(WEB_MERCATOR_WKT) },
  ];
};

const toBaseName = (name: string): string => name.slice(0, name.lastIndexOf('.'));

/** Viewers read the first KML file of an archive. */
const toKmzEntries = ({ grid, toName, format, chunks }: PackedImage): readonly ZipEntry[] => {
  const href = `files/picture.${format}`;
  return [
    {
      name: 'doc.kml',
      source: toText(toOverlayKml({ grid, name: toBaseName(toName('kmz')), href })),
    },
    { name: href, source: { chunks } },
  ];
};
