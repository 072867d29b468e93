/** The forms of a file with a picture: an image, an image with a world file, an overlay. */
import { writeChunks } from '../../files/index.ts';
import type { PartedCog } from '../../formats/cog/index.ts';
import type { ZipEntry } from '../../formats/zip.ts';
import { writeZip } from '../../formats/zip.ts';
import type { Grid } from '../../geo/index.ts';
import { gridBounds } from '../../geo/index.ts';
import type { RenderOptions } from '../../render/index.ts';
import type { ExportRun } from '../export.ts';
import { planPictureCog } from './picture-cog.ts';
import { countStrips } from './picture-strips.ts';

/** How a picture is drawn; the same as for tiles. */
export type PictureOptions = Omit<RenderOptions, 'area' | 'format' | 'watermark'>;

/**
 * What is made of the picture: an image by itself; in a zip archive with a world file and the reference system; or a
 * KMZ, whose image is a PNG on a grid of longitude and latitude.
 */
export type PictureFile =
  | { readonly kind: 'image'; readonly format: 'jpeg' | 'png' | 'tiff' }
  | { readonly kind: 'world'; readonly format: 'jpeg' | 'png' }
  | { readonly kind: 'kmz' };

/** What makes the pixels of a picture. */
export interface PicturePixels {
  /** Encodes the picture, in order. */
  encode(format: 'jpeg' | 'png', run: ExportRun): AsyncIterable<Uint8Array>;
  writeCog(path: string, cog: PartedCog, run: ExportRun): Promise<unknown>;
}

/** The file of a picture, whatever its pixels are made of. */
export interface PictureFilePlan {
  readonly extension: string;
  readonly contentType: string;
  /** What the file seldom exceeds. */
  readonly estimatedBytes: number;
  readonly blocks: number;
  write(path: string, pixels: PicturePixels, run: ExportRun): Promise<unknown>;
}

/** Seldom exceeded by land; noise takes more in a JPEG, and as much in the others. */
const PIXEL_BYTES = { jpeg: 1, png: 4, tiff: 5.4 } as const;

/** Headers, and texts next to an image. */
const FIXED_BYTES = 4_096;

type ToName = (extension: string) => string;

/** Plans the file of a picture. */
export function planPictureForm(file: PictureFile, toName: ToName, grid: Grid): PictureFilePlan {
  const { pixelBytes, ...form } = planForm(file, toName, grid);
  return { ...form, estimatedBytes: Math.ceil(grid.width * grid.height * pixelBytes) + FIXED_BYTES };
}

function planForm(
  file: PictureFile,
  toName: ToName,
  grid: Grid,
): Omit<PictureFilePlan, 'estimatedBytes'> & { readonly pixelBytes: number } {
  if (file.kind === 'image' && file.format === 'tiff') {
    const cog = planPictureCog(grid);
    return {
      extension: 'tiff',
      contentType: 'image/tiff',
      pixelBytes: PIXEL_BYTES.tiff,
      blocks: cog.blockCount,
      write: (path, pixels, run) => pixels.writeCog(path, cog, run),
    };
  }
  const format = file.kind === 'kmz' ? 'png' : (file.format as 'jpeg' | 'png');
  const common = { pixelBytes: PIXEL_BYTES[format], blocks: countStrips(grid) };
  if (file.kind === 'image') {
    return {
      ...common,
      extension: format,
      contentType: `image/${format}`,
      write: (path, pixels, run) => writeChunks(path, pixels.encode(format, run), toSignal(run)),
    };
  }
  const toEntries = file.kind === 'kmz' ? toKmzEntries : toWorldEntries;
  return {
    ...common,
    extension: file.kind === 'kmz' ? 'kmz' : 'zip',
    contentType: file.kind === 'kmz' ? 'application/vnd.google-earth.kmz' : 'application/zip',
    write: (path, pixels, run) =>
      writeZip(path, toEntries({ grid, toName, format, chunks: pixels.encode(format, run) }), toSignal(run)),
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
