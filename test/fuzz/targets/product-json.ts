import { parsePlanetScopeMetadata } from '../../../src/catalog/families/planetscope.ts';
import { parseSentinel1ProductInfo } from '../../../src/catalog/families/sentinel1/manifest.ts';
import { parseSentinel2StacItem } from '../../../src/catalog/families/sentinel2/cog-item.ts';
import { parseSentinel2TileInfo } from '../../../src/catalog/families/sentinel2/tile-info.ts';
import { toPlanetScopeJson } from '../../../src/catalog/families/testing/planetscope-product.ts';
import { toTileInfo } from '../../../src/catalog/families/testing/sentinel-text.ts';
import { parseJsonObject } from '../../../src/catalog/metadata/values.ts';
import type { FuzzTarget } from '../target.ts';
import { longWords } from './long-words.ts';

const SQUARE = [
  [4, 49],
  [5, 49],
  [5, 50],
  [4, 49],
];

/** Metadata of products in JSON: of a tile and of an item of Sentinel-2, of a product of Sentinel-1, and of PlanetScope. */
export const tileInfo: FuzzTarget = {
  name: 'tile-info',
  maxBytes: 256 * 1024,
  tokens: [
    ...longWords.map((word) => `"${word}"`),
    ...['{', '}', '[', ']', ',', ':', '""', '"\\u0000"', '"\\ud800"', 'null', 'true', '{}', '[]', '[[[]]]'],
    ...[
      '0',
      '-1',
      '1e999',
      '-0',
      '4294967296',
      '"1e999"',
      '"2018-02-30T00:00:00Z"',
      '"tiles/1/C/AA/1/1/1/1"',
    ],
    ...[
      '"MultiPolygon"',
      '"Polygon"',
      '"__proto__"',
      '"constructor"',
      '"crs"',
      '"urn:ogc:def:crs:EPSG::9999"',
    ],
    ...['"path"', '"timestamp"', '"tileGeometry"', '"startTime"', '"id"', '"properties"', '"geometry"'],
  ],
  readSeeds: () =>
    [
      toTileInfo({ path: 'tiles/31/U/FR/2018/6/17/1', productName: 'S2B_MSIL1C_20180617T105031' }),
      JSON.stringify({
        id: 'S1A_IW_GRDH',
        path: 'GRD/2018/7/16/IW/DV/S1A_IW_GRDH',
        startTime: '2018-07-16T00:40:42',
        stopTime: '2018-07-16T00:41:07',
        mode: 'IW',
        absoluteOrbitNumber: 22812,
        footprint: { type: 'MultiPolygon', coordinates: [[SQUARE], [SQUARE, SQUARE]] },
      }),
      JSON.stringify({
        id: 'S2A_31UFR_20220219_2_L2A',
        geometry: { type: 'Polygon', coordinates: [SQUARE] },
        properties: {
          datetime: '2022-02-19T10:54:25.405000Z',
          'eo:cloud_cover': 4.05,
          'sentinel:data_coverage': '80',
          'earthsearch:boa_offset_applied': true,
        },
      }),
      toPlanetScopeJson('20230915_103045_12_24c8'),
    ].map((text) => Buffer.from(text)),
  run(input) {
    const text = Buffer.from(input).toString();
    const value = parseJsonObject(text, 'x.json');
    // by what only one of them has, as files go by their names
    const parse =
      'timestamp' in value
        ? parseSentinel2TileInfo
        : 'startTime' in value
          ? parseSentinel1ProductInfo
          : 'type' in value
            ? parsePlanetScopeMetadata
            : parseSentinel2StacItem;
    parse(text, 'x.json');
  },
};
