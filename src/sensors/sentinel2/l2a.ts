import { surfaceRanges } from '../definition/natural.ts';
import type { BandPalette } from '../definition/quality.ts';
import { defineSensor, qualityBand } from '../definition/sensor.ts';
import {
  bucketFiles,
  granuleFiles,
  sentinel2Earlier,
  sentinel2Grammar,
  sentinel2Hit,
  toMsiBands,
} from './msi.ts';

/** Classes of the scene classification in their customary colours. */
const sclPalette: BandPalette = {
  kind: 'values',
  entries: [
    { value: 1, color: '#ff0000', label: 'Saturated or defective' },
    { value: 2, color: '#2f2f2f', label: 'Dark area or topographic shadow' },
    { value: 3, color: '#643200', label: 'Cloud shadow' },
    { value: 4, color: '#00a000', label: 'Vegetation' },
    { value: 5, color: '#ffe65a', label: 'Bare soil' },
    { value: 6, color: '#0000ff', label: 'Water' },
    { value: 7, color: '#808080', label: 'Unclassified' },
    { value: 8, color: '#c0c0c0', label: 'Cloud, medium probability' },
    { value: 9, color: '#ffffff', label: 'Cloud, high probability' },
    { value: 10, color: '#64c8ff', label: 'Thin cirrus' },
    { value: 11, color: '#ff96ff', label: 'Snow or ice' },
  ],
};

/** The bands of Level-2A: B10, which only shows cirrus, is missing. */
const FILES = 'B(?:0[1-9]|1[12]|8A)|SCL';

/** Sentinel-2 Level-2A: surface reflectance, with a scene classification. */
export const sentinel2l2a = defineSensor({
  dataset: 'sentinel2l2a',
  family: 'sentinel-2',
  abbreviation: 'S2L2A',
  title: 'Sentinel-2 L2A',
  sceneName: sentinel2Grammar,
  bands: [
    ...toMsiBands({ quantification: 'BOA_QUANTIFICATION_VALUE', offset: 'BOA_ADD_OFFSET' }).filter(
      ({ name }) => name !== 'B10',
    ),
    qualityBand({ name: 'SCL', resolutionM: 20, type: 'uint8', nodata: 0 }),
  ],
  defaultCompositions: [['B04', 'B03', 'B02']],
  natural: { ranges: surfaceRanges, stored: {} },
  removesOffset: true,
  // 3 is the strictest level, not 4.
  cloud: {
    kind: 'classes',
    band: 'SCL',
    opaque: [8, 9],
    cirrus: [10],
    shadow: [3],
    invalid: [0, 1],
    levels: { 1: [9], 2: [8, 9], 3: [3, 7, 8, 9, 10], 4: [8, 9, 10] },
    onlyOpaqueByDefault: true,
  },
  palettes: { SCL: sclPalette },
  earlierScene: sentinel2Earlier,
  hit: sentinel2Hit,
  layouts: [
    {
      name: 'sentinel2-l2a-bucket',
      marker: /^tileInfo\.json$/,
      bandFile: new RegExp(`^R(?<resolution>10|20|60)m\\/(?<band>${FILES})\\.jp2$`),
      resolutions: ['10', '20', '60'],
      files: bucketFiles,
    },
    {
      name: 'sentinel2-l2a-safe',
      marker: /^MTD_MSIL2A\.xml$/,
      bandFile: new RegExp(
        `^GRANULE\\/[A-Z0-9_]{10,60}\\/IMG_DATA\\/R(?<resolution>10|20|60)m\\/(?:L2A_)?T\\d{2}[A-Z]{3}_\\d{8}T\\d{6}_(?<band>${FILES})_\\d{2}m\\.jp2$`,
      ),
      resolutions: ['10', '20', '60'],
      files: { 'product-metadata': /^MTD_MSIL2A\.xml$/, ...granuleFiles },
    },
    {
      name: 'sentinel2-l2a-cog',
      marker: /^(?<id>S2[A-D]_\d{1,2}[C-X][A-Z]{2}_\d{8}_\d{1,2}_L2A)\.json$/,
      bandFile: new RegExp(`^(?<band>${FILES})\\.tif$`),
      files: { 'stac-item': /^(?<id>S2[A-D]_\d{1,2}[C-X][A-Z]{2}_\d{8}_\d{1,2}_L2A)\.json$/ },
    },
  ],
});
