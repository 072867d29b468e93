import { parseAuxXml, parseWorldFile } from '../../../src/formats/tiff/sidecars.ts';
import type { FuzzTarget } from '../target.ts';
import { readGolden } from './golden-seeds.ts';

const NUMBERS = ['0', '-1', '1e999', '1d3', '-0', ',', '.', 'nan', '4294967296', '1e-320'];

/** World files. */
export const worldFile: FuzzTarget = {
  name: 'world-file',
  maxBytes: 16 * 1024,
  tokens: [...NUMBERS, '\n', '\r\n', ' ', '\u00a0', '+'],
  readSeeds: () => [...readGolden('tiff/reader/*.tfw'), Buffer.from('10,0\n0\n0\n-1d1\n600005.0\n5099995\n')],
  run: (input) => parseWorldFile(Buffer.from(input).toString()),
};

/** What GDAL writes into the sidecar of an image. */
export const auxXml: FuzzTarget = {
  name: 'aux-xml',
  maxBytes: 512 * 1024,
  tokens: [
    ...NUMBERS,
    ...['<PAMDataset', '<PAMRasterBand band="1">', '</PAMRasterBand>', '<SRS>', '</SRS>', '<GCP ', '/>', '>'],
    ...['<GCPList Projection="', '&#x10ffff;', '&#xD800;', '&amp;', '&#9999999;', '<!--', ']]>', '"', ' X="'],
    ...['<NoDataValue>', '<Description>', '<GeoTransform>', '<'],
  ],
  readSeeds: () => [
    ...readGolden('tiff/reader/*.aux.xml'),
    Buffer.from(
      '<PAMDataset><SRS>PROJCS["a &quot;b&quot;"]</SRS><GeoTransform>6e5,10,0,5.1e6,0,-10</GeoTransform>' +
        '<PAMRasterBand band="1"><NoDataValue>-9.999e3</NoDataValue><Scale>1e-4</Scale></PAMRasterBand></PAMDataset>',
    ),
  ],
  run: (input) => parseAuxXml(Buffer.from(input).toString()),
};
