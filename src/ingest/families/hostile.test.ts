import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../../errors.ts';
import { casesOf } from '../../testing/test-size.ts';
import { parseCbersXml } from './cbers4.ts';
import { parseLandsatMtl } from './landsat-mtl.ts';
import { parseNaipMetadata } from './naip.ts';
import { parsePlanetScopeMetadata } from './planetscope.ts';
import {
  parseSentinel1Annotation,
  parseSentinel1Manifest,
  parseSentinel1ProductInfo,
} from './sentinel1/metadata.ts';
import { parseSentinel1Calibration, parseSentinel1Noise } from './sentinel1/tables.ts';
import { readCloudPolygons } from './sentinel2/cloud-polygons.ts';
import {
  parseSentinel2Granule,
  parseSentinel2Product,
  parseSentinel2StacItem,
  parseSentinel2TileInfo,
} from './sentinel2/metadata.ts';
import { toPlanetScopeJson } from './testing/planetscope-product.ts';
import {
  cbersXml,
  cloudGml,
  sentinel1Manifest,
  toAnnotationXml,
  toCalibrationXml,
  toGranuleXml,
  toLandsatJson,
  toLandsatOdl,
  toLandsatXml,
  toNoiseXml,
  toProductXml,
  toTileInfo,
} from './testing/product-texts.ts';

const landsat = { sceneId: 'LC80160372017225LGN00', productId: 'LC08_L1TP_X', collection: 2 } as const;
const name = 'S2B_MSIL1C_20180617T105031_N0206_R051_T31UFR_20180617T120000';
const table = { lines: [0, 100], pixels: [0, 40, 80], value: () => 600 };

const cases: readonly (readonly [string, (text: string, what: string) => unknown, string])[] = [
  ['MTL as ODL', parseLandsatMtl, toLandsatOdl(landsat)],
  ['MTL as JSON', parseLandsatMtl, toLandsatJson(landsat)],
  ['MTL as XML', parseLandsatMtl, toLandsatXml(landsat)],
  [
    'tileInfo.json',
    parseSentinel2TileInfo,
    toTileInfo({ path: 'tiles/31/U/FR/2018/6/17/1', productName: name }),
  ],
  [
    'tile XML',
    parseSentinel2Granule,
    toGranuleXml({ level: '1C', tileId: 'T', sensingTime: '2018-06-17T10:50:31Z' }),
  ],
  [
    'product XML',
    parseSentinel2Product,
    toProductXml({ level: '1C', productName: name, baseline: '04.00', offset: -1000 }),
  ],
  ['cloud GML', (text, what) => readCloudPolygons(text, what, () => {}), cloudGml],
  [
    'STAC item',
    parseSentinel2StacItem,
    JSON.stringify({ id: 'S2A_31UFR_20220219_2_L2A', properties: { datetime: '2022-02-19T10:54:25Z' } }),
  ],
  ['manifest', parseSentinel1Manifest, sentinel1Manifest],
  [
    'productInfo.json',
    parseSentinel1ProductInfo,
    JSON.stringify({ id: 'S1A', startTime: '2018-07-16T00:40:42' }),
  ],
  ['annotation', parseSentinel1Annotation, toAnnotationXml('VV')],
  ['calibration', parseSentinel1Calibration, toCalibrationXml('VV', table)],
  [
    'noise',
    parseSentinel1Noise,
    toNoiseXml('VV', {
      range: [{ line: 0, pixels: [0, 40], values: [7, 8] }],
      azimuth: [{ line: 0, pixels: [0, 40], values: [1, 1.2] }],
    }),
  ],
  ['CBERS XML', parseCbersXml, cbersXml],
  ['PlanetScope item', parsePlanetScopeMetadata, toPlanetScopeJson('20230915_103045_12_24c8')],
  ['NAIP text', parseNaipMetadata, '  Place_Keyword: AL\n'],
];

/** A text with a part removed, repeated, or replaced by something that often breaks parsers. */
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 40 }),
  put: fc.oneof(
    fc.constantFrom(
      '',
      '<',
      '>',
      '</a>',
      '"',
      '{',
      '[',
      '\0',
      '1e999',
      '-',
      'null',
      '<!--',
      '<![CDATA[',
      '&#x0;',
      '\ud800',
      '__proto__',
    ),
    fc.string({ maxLength: 10 }),
  ),
});

for (const [what, parse, text] of cases) {
  test(`${what}: any damage gives a value or an error with a code`, () => {
    assert.doesNotThrow(() => parse(text, 'whole'));
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        let broken = text;
        for (const { at, length, put } of damages) {
          const from = Math.floor(at * broken.length);
          broken = broken.slice(0, from) + put + broken.slice(from + length);
        }
        try {
          parse(broken, 'broken');
        } catch (error) {
          assert.ok(isSwathError(error) && error.tag === 'source-broken', String(error));
        }
      }),
      { numRuns: casesOf(150) },
    );
  });
}
