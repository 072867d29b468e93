import { isSwathError, sourceBroken } from '../../../errors.ts';
import type { Affine } from '../../../geo/index.ts';
import type { ByteSource } from '../../../storage/index.ts';
import { openTiff } from '../../tiff/index.ts';
import { parseGmlPlace } from './gml-grid.ts';

/** Where an image lies; null where the file does not say. */
export interface Place {
  readonly epsg: number | null;
  readonly transform: Affine | null;
}

/** The GeoJP2 box when it says where the image lies, else the GMLJP2 box: GDAL's order. */
export async function readPlace(geoTiff: Uint8Array | null, gml: string | null): Promise<Place> {
  const fromTiff = geoTiff === null ? null : await readGeoTiffPlace(geoTiff);
  const fromGml = gml === null ? null : parseGmlPlace(gml);
  const place = fromTiff?.transform ? fromTiff : (fromGml ?? fromTiff);
  return place ?? { epsg: null, transform: null };
}

/** The box is a whole TIFF of one pixel. One in a form that we do not read is as good as none; damage is damage. */
async function readGeoTiffPlace(bytes: Uint8Array): Promise<Place | null> {
  try {
    const { epsg, transform } = await openTiff(toSource(bytes));
    return { epsg, transform };
  } catch (error) {
    if (isSwathError(error) && error.tag === 'unsupported') return null;
    throw sourceBroken('jp2-bad-place', 'The JPEG 2000 file is damaged: its GeoJP2 box cannot be read.', {
      cause: error,
    });
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
