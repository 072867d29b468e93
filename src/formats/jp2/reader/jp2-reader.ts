import { isSwathError } from '../../../errors.ts';
import type { Affine, Size } from '../../../geo/index.ts';
import type { PixelType } from '../../../raster/index.ts';
import type { ByteSource } from '../../../sources/index.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, tryParseXml } from '../../../xml/index.ts';
import { sourceBroken } from '../../errors.ts';
import type { Georeference } from '../../tiff/georeference/georeference.ts';
import { isGeographicCode, isUsableTransform } from '../../tiff/georeference/georeference.ts';
import { openTiff } from '../../tiff/tiff-reader.ts';
import { readFileParts } from '../headers/boxes.ts';
import { damaged, makeByteWindow } from '../headers/byte-window.ts';
import type { ImageSize, MainHeader } from '../headers/main-header.ts';
import { readMainHeader, toLevels } from '../headers/main-header.ts';
import type { TilePartIndex } from '../headers/tile-parts.ts';
import { readTileParts } from '../headers/tile-parts.ts';
import { MAX_METADATA_BYTES } from '../limits.ts';

/** An opened JPEG 2000 file; apart from its source it is plain data. */
export interface Jp2 extends ImageSize {
  readonly source: ByteSource;
  readonly type: PixelType;
  /** Number of levels, full resolution included. */
  readonly resolutions: number;
  /** Sizes of the levels, full resolution first. */
  readonly levels: readonly Size[];
  /** Null when the file names no EPSG code. */
  readonly epsg: number | null;
  /** Of the full resolution; null when the file has none that can be used. */
  readonly transform: Affine | null;
  readonly header: MainHeader;
  readonly tileParts: TilePartIndex;
}

/** Reads boxes, main header and the offsets of all tile-parts; of the pixels' data it reads nothing. */
export async function openJp2(source: ByteSource, signal?: AbortSignal): Promise<Jp2> {
  const window = makeByteWindow(source, signal);
  const { codestream, stated, geoTiff, gml } = await readFileParts(window);
  const header = await readMainHeader(window, codestream);
  const { size, style } = header;
  const isAsStated =
    stated === null ||
    (stated.width === size.width && stated.height === size.height && stated.bandCount === size.bandCount);
  if (!isAsStated) throw damaged('its two headers disagree about the size of the image');
  return {
    ...size,
    source,
    type: size.bitsPerSample <= 8 ? 'uint8' : size.isSigned ? 'int16' : 'uint16',
    resolutions: style.decompositions + 1,
    levels: toLevels(size, style.decompositions),
    ...(await readGeoreference(geoTiff, gml)),
    header,
    tileParts: await readTileParts(window, header, codestream.end),
  };
}

/** Where an image lies; null where the file does not say. */
type Jp2Georeference = Pick<Georeference, 'epsg' | 'transform'>;

const toPair = (text: string | undefined): readonly [number, number] | null => {
  const numbers = (text ?? '').trim().split(/\s+/).map(Number);
  return numbers.length === 2 && numbers.every(Number.isFinite) ? [numbers[0]!, numbers[1]!] : null;
};

/** An EPSG code as a URN, a URL or in the short form. */
const EPSG = /EPSG(?:::|:|\/\d{1,5}\/)(\d{4,5})$/;

/** The first EPSG code that an element of the grid names; null when none does. */
function findEpsg(grid: XmlElement): number | null {
  const named = [grid, ...['Point', 'pos', 'offsetVector'].flatMap((name) => descendantsOf(grid, name))];
  const codes = named.map(({ attributes }) => EPSG.exec(attributes.srsName ?? '')?.[1]);
  const code = codes.find((found) => found !== undefined);
  return code === undefined ? null : Number(code);
}

/**
 * The grid of a GMLJP2 coverage: centre of the first pixel and the steps to its neighbours (OGC 05-047r3). Null when the
 * document has no such grid or cannot be read.
 */
export function parseGmlGrid(gml: string): Jp2Georeference | null {
  // Some writers end the text of a box with a NUL.
  const [text = ''] = gml.split('\0', 1);
  const root = tryParseXml(text, 'GMLJP2', MAX_METADATA_BYTES);
  const grid = root === null ? undefined : descendantsOf(root, 'RectifiedGrid')[0];
  if (grid === undefined) return null;
  const [first, second] = descendantsOf(grid, 'offsetVector');
  const centre = toPair(descendantsOf(grid, 'pos')[0]?.text);
  const [right, down] = [toPair(first?.text), toPair(second?.text)];
  if (centre === null || right === null || down === null) return null;
  const epsg = findEpsg(grid);
  // Latitude comes first in geographic systems.
  const [x, y] = epsg !== null && isGeographicCode(epsg) ? [1, 0] : [0, 1];
  const transform: Affine = [
    centre[x]! - (right[x]! + down[x]!) / 2,
    right[x]!,
    down[x]!,
    centre[y]! - (right[y]! + down[y]!) / 2,
    right[y]!,
    down[y]!,
  ];
  return { epsg, transform: isUsableTransform(transform) ? transform : null };
}

/** The GeoJP2 box if it has a transform, otherwise the GMLJP2 box: GDAL's order. */
async function readGeoreference(geoTiff: Uint8Array | null, gml: string | null): Promise<Jp2Georeference> {
  const fromTiff = geoTiff === null ? null : await readGeoTiffBox(geoTiff);
  const fromGml = gml === null ? null : parseGmlGrid(gml);
  const found = fromTiff?.transform ? fromTiff : (fromGml ?? fromTiff);
  return found ?? { epsg: null, transform: null };
}

/** The box is a whole TIFF of one pixel. Null for a TIFF of a form that we do not read; damage is an error. */
async function readGeoTiffBox(bytes: Uint8Array): Promise<Jp2Georeference | null> {
  try {
    const { epsg, transform } = await openTiff(toSource(bytes));
    return { epsg, transform };
  } catch (error) {
    if (isSwathError(error) && error.tag === 'unsupported') return null;
    throw sourceBroken(
      'jp2-bad-georeference',
      'The JPEG 2000 file is damaged: its GeoJP2 box cannot be read.',
      {
        cause: error,
      },
    );
  }
}

const toSource = (bytes: Uint8Array): ByteSource => ({
  id: 'geojp2',
  version: '1',
  size: bytes.length,
  async read(offset, length) {
    if (!(offset >= 0 && length >= 0 && offset + length <= bytes.length)) {
      throw sourceBroken('source-short', 'The GeoJP2 box ends before the bytes its header promises.');
    }
    return bytes.subarray(offset, offset + length);
  },
  async close() {},
});
