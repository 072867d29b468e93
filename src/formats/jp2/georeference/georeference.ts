import { isSwathError, sourceBroken } from '../../../errors.ts';
import type { ByteSource } from '../../../sources/index.ts';
import { openTiff } from '../../tiff/image/tiff-reader.ts';
import type { Jp2Georeference } from './gml-grid.ts';
import { parseGmlGrid } from './gml-grid.ts';

/** The GeoJP2 box if it has a transform, otherwise the GMLJP2 box: GDAL's order. */
export async function readGeoreference(
  geoTiff: Uint8Array | null,
  gml: string | null,
): Promise<Jp2Georeference> {
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
