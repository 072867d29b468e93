import type { Asset } from '../catalog/index.ts';
import { isSwathError, SwathError } from '../errors.ts';
import type { FoundFile } from '../files/index.ts';
import type { BlockFile, FoundSidecar } from '../formats/block-file/index.ts';
import { findSidecars, openBlockFile } from '../formats/block-file/index.ts';
import type { Jp2Decoder } from '../formats/jp2/index.ts';
import type { Affine, Lattice } from '../geo/index.ts';
import { nearestAffine } from '../geo/index.ts';
import type { CrsId, GroundControlPoint } from '../proj/index.ts';
import { makeProjection, parseLattice } from '../proj/index.ts';
import type { PixelType, SampleType } from '../raster/index.ts';
import type { OpenSource } from '../sources/index.ts';
import { MAX_METADATA_BYTES } from '../xml/index.ts';
import { sourceBroken, tooLarge, unsupported } from './errors.ts';

/** How ingest reads files of products: in the same way as the catalog later, so that it refuses the same files. */
export interface ProductDoors {
  readonly open: OpenSource;
  /** The address of a file in the catalog; throws for a file that the catalog may not refer to. */
  readonly toHref: (path: string) => string;
}

/** Reads a text file of a product. */
export type ReadText = (file: FoundFile) => Promise<string>;

/** Builds a reader of text files, which refuses files larger than any metadata. */
export function makeReadText({ open, toHref }: ProductDoors, signal?: AbortSignal): ReadText {
  return async ({ path, parts }) => {
    const source = await open(toHref(path));
    try {
      if (source.size > MAX_METADATA_BYTES) {
        throw tooLarge(
          'metadata-too-large',
          `The file ${parts.at(-1)} has more than ${MAX_METADATA_BYTES} bytes.`,
        );
      }
      return new TextDecoder().decode(await source.read(0, source.size, signal));
    } finally {
      await source.close();
    }
  };
}

/** How headers are read: in the same way as pixels later. */
export interface HeaderDeps {
  readonly open: OpenSource;
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
}

/** An opened image with what its sidecars add. */
export interface OpenedImage {
  readonly href: string;
  readonly file: BlockFile;
  readonly sidecars: readonly FoundSidecar[];
  /** State of the file and then of its sidecars. */
  readonly stamps: readonly string[];
}

/** Opens an image with its sidecars, makes a record of its header, and closes it. */
export async function readHeader<T>(
  deps: HeaderDeps,
  href: string,
  toRecord: (image: OpenedImage) => T,
): Promise<T> {
  const image = await openWithSidecars(deps, href);
  try {
    return toRecord(image);
  } finally {
    await image.file.source.close();
  }
}

async function openWithSidecars(
  { open, jp2Decoder, signal }: HeaderDeps,
  href: string,
): Promise<OpenedImage> {
  const source = await open(href, signal);
  try {
    const stamp = source.version;
    const file = await openBlockFile(source, { jp2Decoder, signal });
    const sidecars = await findSidecars(file, { href, open, ...(signal ? { signal } : {}) });
    const stamps = [stamp, ...sidecars.map((one) => one.stamp)];
    if (sidecars.length === 0) return { href, file, sidecars, stamps };
    const files = { href, open, suffixes: sidecars.map(({ suffix }) => suffix) };
    const whole = await openBlockFile(source, { jp2Decoder, signal, sidecars: files });
    return { href, file: whole, sidecars, stamps };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The placement of an image by the affine transform of its file; null if the file has none. */
export function findAffinePlacement({
  epsg,
  proj,
  transform,
}: Pick<BlockFile, 'epsg' | 'proj' | 'transform'>): {
  readonly crs: CrsId;
  readonly transform: Affine;
} | null {
  const crs = epsg ?? proj;
  if (crs === null || transform === null) return null;
  // Throws for an unsupported reference system.
  makeProjection(crs, 4326);
  return { crs, transform };
}

/** What is known about a file before it is opened. */
interface AssetRequest {
  readonly path: string;
  /** Its name in errors. */
  readonly name: string;
  readonly bandIndex: number;
  readonly scale: number;
  readonly offset: number;
  /** The sensor's value, for files without one. */
  readonly nodata: number | null;
  /** Where the image lies, for files without a georeference. */
  readonly fallback?: Placement | undefined;
}

/** Where an image lies, and in which reference system. */
interface FilePlacement {
  readonly crs: CrsId;
  readonly transform: Affine;
  readonly lattice?: Lattice | undefined;
}

/** Where an image of any size lies: a box in a reference system, control points, or the placement of a record. */
export type Placement =
  | {
      readonly epsg: number;
      readonly box: readonly [west: number, south: number, east: number, north: number];
    }
  | { readonly epsg: number; readonly gcps: readonly GroundControlPoint[] }
  | { readonly record: Pick<Asset, 'epsg' | 'proj' | 'transform' | 'lattice'> };

interface AssetDeps extends ProductDoors {
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
}

/** A band's file: its asset, and what the file itself says of each of its bands. */
export interface ReadAsset {
  readonly asset: Asset;
  /** GDAL's scale and offset of every band; 1 and 0 where the file says nothing. */
  readonly scales: readonly { readonly scale: number; readonly offset: number }[];
}

/** Reads the header of a band's file and records all that reading its pixels needs. */
export const readAsset = async (deps: AssetDeps, request: AssetRequest): Promise<Asset> =>
  (await readAssetFile(deps, request)).asset;

/** The same, with the scales that the file states. */
export async function readAssetFile(deps: AssetDeps, request: AssetRequest): Promise<ReadAsset> {
  const href = deps.toHref(request.path);
  try {
    return await readHeader(deps, href, (image) => ({
      asset: toAsset(image, request),
      scales: image.file.bands.map(({ scale, offset }) => ({ scale, offset })),
    }));
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'cancelled') throw error;
    throw new SwathError('source-broken', error.code, `${request.name}: ${error.message}`, { cause: error });
  }
}

/** Opens the file of an asset again, to look at its pixels. */
export async function withAssetFile<T>(
  { open, jp2Decoder, signal }: AssetDeps,
  { href, sidecars }: Asset,
  use: (file: BlockFile) => Promise<T>,
): Promise<T> {
  const source = await open(href);
  const files = sidecars === undefined ? undefined : { href, open, suffixes: sidecars };
  const file = await openBlockFile(source, { jp2Decoder, signal, sidecars: files }).catch(
    async (error: unknown) => {
      await source.close();
      throw error;
    },
  );
  try {
    return await use(file);
  } finally {
    await file.source.close();
  }
}

/** How many bands a file has. */
export async function readBandCount(
  { open, toHref, jp2Decoder, signal }: AssetDeps,
  path: string,
): Promise<number> {
  const source = await open(toHref(path));
  try {
    const { levels } = await openBlockFile(source, { jp2Decoder, signal });
    return levels[0].bandCount;
  } finally {
    await source.close();
  }
}

function toAsset({ href, file, sidecars, stamps }: OpenedImage, request: AssetRequest): Asset {
  const [main, ...overviews] = file.levels;
  if (request.bandIndex >= main.bandCount) {
    throw sourceBroken(
      'no-band',
      `The image has ${main.bandCount} bands and no band ${request.bandIndex + 1}.`,
    );
  }
  const { crs, transform, lattice } = findPlacement(file, request.fallback);
  return {
    href,
    bandIndex: request.bandIndex,
    ...(typeof crs === 'number' ? { epsg: crs } : { epsg: 0, proj: crs }),
    transform,
    ...(lattice === undefined ? {} : { lattice }),
    width: main.width,
    height: main.height,
    type: toPixelType(main.type),
    nodata: file.nodata ?? request.nodata,
    scale: request.scale,
    offset: request.offset,
    overviews: overviews.map(({ width, height }) => ({ width, height })),
    ...(sidecars.length === 0 ? {} : { sidecars: sidecars.map(({ suffix }) => suffix) }),
    stamps,
  };
}

/** Pixel types that can be rendered; no supported product ships others. */
function toPixelType(type: SampleType): PixelType {
  if (type === 'uint8' || type === 'uint16' || type === 'int16' || type === 'float32') return type;
  throw unsupported('pixel-type', `Its pixels are of the type ${type}, which no product has.`);
}

/** The placement by the file itself, or by the product's metadata if the file has no georeference. */
function findPlacement(file: BlockFile, fallback: Placement | undefined): FilePlacement {
  const own = findAffinePlacement(file);
  if (own !== null) return own;
  const crs = file.epsg ?? file.proj;
  if (crs !== null && file.gcps.length > 0) return fromGcps(file.gcps, crs);
  if (fallback === undefined) {
    throw sourceBroken('no-georeference', 'Neither the image nor its metadata have a georeference.');
  }
  if ('record' in fallback) {
    const { epsg, proj, transform, lattice } = fallback.record;
    return { crs: proj ?? epsg, transform, lattice };
  }
  if ('gcps' in fallback) return fromGcps(fallback.gcps, fallback.epsg);
  const [west, south, east, north] = fallback.box;
  const { width, height } = file.levels[0];
  return {
    crs: fallback.epsg,
    transform: [west, (east - west) / width, 0, north, 0, (south - north) / height],
  };
}

function fromGcps(gcps: readonly GroundControlPoint[], crs: CrsId): FilePlacement {
  const lattice = parseLattice(gcps, crs);
  return { crs, transform: nearestAffine(lattice), lattice };
}
