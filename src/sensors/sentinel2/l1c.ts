import { topOfAtmosphereRanges } from '../definition/natural.ts';
import { defineSensor } from '../definition/sensor.ts';
import {
  bucketFiles,
  granuleFiles,
  sentinel2Earlier,
  sentinel2Grammar,
  sentinel2Hit,
  toMsiBands,
} from './msi.ts';

/** A tile of the format before 6 December 2016, with many tiles per product; its name is the prefix of its files. */
const TILE = '_[A-Z0-9_]{4}_\\d{8}T\\d{6}_A\\d{6}_T\\d{2}[A-Z]{3}';
const GRANULE = `GRANULE\\/(?<id>S2[A-D]_OPER_MSI_L1C_TL${TILE}_N\\d{2}\\.\\d{2})`;
const PRODUCT = /^S2[A-D]_OPER_MTD_SAFL1C_[A-Z0-9_]{4}_\d{8}T\d{6}_R\d{3}_V\d{8}T\d{6}_\d{8}T\d{6}\.xml$/;

/** Sentinel-2 Level-1C: top-of-atmosphere reflectance. */
export const sentinel2 = defineSensor({
  dataset: 'sentinel2',
  family: 'sentinel-2',
  abbreviation: 'S2',
  title: 'Sentinel-2 L1C',
  sceneName: sentinel2Grammar,
  bands: toMsiBands({ quantification: 'QUANTIFICATION_VALUE', offset: 'RADIO_ADD_OFFSET' }),
  defaultCompositions: [['B04', 'B03', 'B02']],
  natural: { ranges: topOfAtmosphereRanges, stored: {} },
  removesOffset: true,
  // Polygons before baseline 04.00, an image of three bands since; reprocessed old scenes have the image too.
  cloud: {
    kind: 'mask-file',
    opaque: [{ band: 0, marks: 'non-zero' }],
    cirrus: [{ band: 1, marks: 'non-zero' }],
    shadow: [],
    onlyOpaqueByDefault: true,
  },
  earlierScene: sentinel2Earlier,
  hit: sentinel2Hit,
  layouts: [
    {
      name: 'sentinel2-l1c-bucket',
      marker: /^tileInfo\.json$/,
      bandFile: /^(?<band>B(?:0[1-9]|1[0-2]|8A))\.jp2$/,
      files: { ...bucketFiles, thumbnail: /^preview\.jpg$/ },
    },
    {
      name: 'sentinel2-l1c-safe',
      marker: /^MTD_MSIL1C\.xml$/,
      bandFile:
        /^GRANULE\/[A-Z0-9_]{10,60}\/IMG_DATA\/T\d{2}[A-Z]{3}_\d{8}T\d{6}_(?<band>B(?:0[1-9]|1[0-2]|8A))\.jp2$/,
      files: { 'product-metadata': /^MTD_MSIL1C\.xml$/, ...granuleFiles },
    },
    {
      name: 'sentinel2-l1c-safe-of-granules',
      marker: PRODUCT,
      bandFile: new RegExp(
        `^${GRANULE}\\/IMG_DATA\\/S2[A-D]_OPER_MSI_L1C_TL${TILE}_(?<band>B(?:0[1-9]|1[0-2]|8A))\\.jp2$`,
      ),
      files: {
        'product-metadata': PRODUCT,
        metadata: new RegExp(`^${GRANULE}\\/S2[A-D]_OPER_MTD_L1C_TL${TILE}\\.xml$`),
        'cloud-polygons': new RegExp(
          `^${GRANULE}\\/QI_DATA\\/S2[A-D]_OPER_MSK_CLOUDS${TILE}_B00_MSIL1C\\.gml$`,
        ),
      },
    },
  ],
});
