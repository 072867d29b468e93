import { hash } from 'node:crypto';
import { writeChunks } from '../../files/index.ts';
import type { ZipEntry } from '../../formats/zip.ts';
import { writeZip } from '../../formats/zip.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import { gridBounds } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import type { PaintedScene, Painter, PlannedPicture, RenderOptions } from '../../render/index.ts';
import { isOfClasses } from '../../render/native/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { badInput, unsupported } from '../errors.ts';
import type { ExportArea, ExportRun, PlanExport, PlannedExport } from '../export.ts';
import type { PictureJobs } from '../export-jobs.ts';
import { toFileName } from '../file-name.ts';
import type { TopJobs } from '../write-cog.ts';
import { planPictureCog, writePictureCog } from './picture-cog.ts';
import { countStrips, encodeStrips } from './picture-strips.ts';
import type { PictureLimits, PixelSize } from './plan-picture-grid.ts';
import { DEFAULT_PICTURE_LIMITS, planPictureGrid } from './plan-picture-grid.ts';

/** A file with a picture of a scene. Plain JSON, except that an outline is an array of numbers. */
export interface PictureOrder {
  /** The address of the scene, for the catalog and for the name of the file. */
  readonly viewId: string;
  /** The view id without its sensor. */
  readonly sceneName: string;
  /** Abbreviation of the sensor. */
  readonly sensor: string;
  /** Bands, aliases or band math. */
  readonly bands: string;
  /** What the file is called instead of the bands. */
  readonly nameAlias: string | null;
  /** Null for the whole scene. */
  readonly area: ExportArea | null;
  /** `method` null: cubic convolution for measures, nearest neighbours for classes. */
  readonly options: PictureOptions;
  /** Null for the pixels of the finest band that is shown. */
  readonly pixel: PixelSize | null;
  readonly file: PictureFile;
}

/** How a picture is drawn; the same as for tiles. */
type PictureOptions = Omit<RenderOptions, 'area' | 'format' | 'watermark'>;

/**
 * What is made of the picture: an image by itself; in a zip archive with a world file and the reference system; or a
 * KMZ, whose image is a PNG on a grid of longitude and latitude.
 */
export type PictureFile =
  | { readonly kind: 'image'; readonly format: 'jpeg' | 'png' | 'tiff' }
  | { readonly kind: 'world'; readonly format: 'jpeg' | 'png' }
  | { readonly kind: 'kmz' };

interface PictureFileDeps {
  readonly painter: Painter;
  readonly pool: JobRunner<PictureJobs & TopJobs>;
  readonly limits?: PictureLimits;
}

/**
 * Builds the planning of files with a picture of a scene, in 8 bits a channel. Its pixels are those of tiles: contrast
 * and classes are found for the whole scene or area, as for tiles, and every pixel is drawn by the same steps.
 */
export function makePlanPictureFile({
  painter,
  pool,
  limits = DEFAULT_PICTURE_LIMITS,
}: PictureFileDeps): PlanExport<PictureOrder> {
  return async (order) => {
    const request = toRequest(order);
    const { assets, needsWindow } = await painter.findImages(request);
    if (needsWindow) {
      throw unsupported(
        'needs-window',
        'This expression depends on all pixels of a picture at once; a file is drawn in parts.',
        { details: { about: 'expressions' } },
      );
    }
    const { area, pixel, file } = order;
    // A viewer spreads the rows of an overlay evenly over its latitudes: on the map of tiles they are not even.
    const epsg = file.kind === 'kmz' ? 4326 : 3857;
    const { grid, probe } = planPictureGrid({ assets, area, pixel, epsg, limits });
    const planned = await planProbe(painter, { ...request, grid: probe });
    return planFile(order, { grid, planned, painter, pool });
  };
}

function findSensor(abbreviation: string): Sensor {
  const sensor = sensorByAbbreviation(abbreviation);
  if (sensor === null) throw badInput('unknown-sensor', `There is no sensor ${abbreviation}.`);
  return sensor;
}

function toRequest({ viewId, sceneName, sensor, bands, options, area }: PictureOrder) {
  return {
    viewId,
    sceneName,
    sensor: findSensor(sensor),
    bands,
    options: {
      ...options,
      format: 'auto',
      area: area?.kind === 'outline' ? { ref: toRef(area.outline), outline: area.outline } : null,
      watermark: null,
    },
  } as const;
}

/** Classes are cached by the name of their area. */
const toRef = (outline: AreaOutline): string => hash('sha256', outline, 'hex');

/** Plans a tile of the picture: refuses what cannot be drawn. Cubic convolution is for measures only. */
async function planProbe(painter: Painter, request: Parameters<Painter['plan']>[0]): Promise<PlannedPicture> {
  const planned = await painter.plan(request);
  if (request.options.method !== null || isOfClasses(planned.plan.color)) return planned;
  return painter.plan({ ...request, options: { ...request.options, method: 'cubic' } });
}

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
function planFile(order: PictureOrder, pixels: PlannedPixels): PlannedExport {
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

interface Overlay {
  /** In longitude and latitude: a viewer spreads the rows of the image evenly over the latitudes of the box. */
  readonly grid: Grid;
  readonly name: string;
  /** Path of the image in the archive. */
  readonly href: string;
}

/** KML 2.2 of an image on the ground. */
function toOverlayKml({ grid, name, href }: Overlay): string {
  const { minX, minY, maxX, maxY } = gridBounds(grid);
  return `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2">
  <Document>
    <name>${escapeText(name)}</name>
    <GroundOverlay>
      <name>${escapeText(name)}</name>
      <Icon>
        <href>${escapeText(href)}</href>
      </Icon>
      <LatLonBox>
        <north>${maxY}</north>
        <south>${minY}</south>
        <east>${maxX}</east>
        <west>${minX}</west>
      </LatLonBox>
    </GroundOverlay>
  </Document>
</kml>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeText = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => ENTITIES[one] ?? one);

/** A world file: sides of a pixel, then the middle of the first one, a number a line. */
function toWorldFile({ transform }: Grid): string {
  const [originX, pixelWidth, rowShear, originY, colShear, pixelHeight] = transform;
  const x = originX + (pixelWidth + rowShear) / 2;
  const y = originY + (colShear + pixelHeight) / 2;
  return [pixelWidth, colShear, rowShear, pixelHeight, x, y].map((number) => `${number}\n`).join('');
}

/** EPSG:3857 as programs write it next to images, in the older form of WKT that all of them read. */
const WEB_MERCATOR_WKT = [
  'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere"',
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  'PROJECTION["Mercator_Auxiliary_Sphere"]',
  'PARAMETER["False_Easting",0.0]',
  'PARAMETER["False_Northing",0.0]',
  'PARAMETER["Central_Meridian",0.0]',
  'PARAMETER["Standard_Parallel_1",0.0]',
  'PARAMETER["Auxiliary_Sphere_Type",0.0]',
  'UNIT["Meter",1.0]]',
].join(',');
