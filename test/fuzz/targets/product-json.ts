import { parsePlanetScopeMetadata } from '../../../src/ingest/families/planetscope.ts';
import { parseSentinel1ProductInfo } from '../../../src/ingest/families/sentinel1/metadata.ts';
import {
  parseSentinel2StacItem,
  parseSentinel2TileInfo,
} from '../../../src/ingest/families/sentinel2/metadata.ts';
import { toPlanetScopeJson } from '../../../src/ingest/families/testing/planetscope-product.ts';
import { toTileInfo } from '../../../src/ingest/families/testing/product-texts.ts';
import { parseJsonObject } from '../../../src/ingest/metadata-values.ts';
import type { FuzzTarget } from '../target.ts';
import { longWords } from './long-words.ts';

const SQUARE = [
  [4, 49],
  [5, 49],
  [5, 50],
  [4, 49],
];

/** A kind of metadata, told by the member that only it has, as files go by their names. */
interface JsonMetadata {
  readonly member: string;
  readonly parse: (text: string, what: string) => unknown;
  readonly seed: string;
}

/** Every kind of metadata in JSON; a new one is a row here. The first that has its member counts. */
const kinds: readonly JsonMetadata[] = [
  {
    member: 'timestamp',
    parse: parseSentinel2TileInfo,
    seed: toTileInfo({ path: 'tiles/31/U/FR/2018/6/17/1', productName: 'S2B_MSIL1C_20180617T105031' }),
  },
  {
    member: 'startTime',
    parse: parseSentinel1ProductInfo,
    seed: JSON.stringify({
      id: 'S1A_IW_GRDH',
      path: 'GRD/2018/7/16/IW/DV/S1A_IW_GRDH',
      startTime: '2018-07-16T00:40:42',
      stopTime: '2018-07-16T00:41:07',
      mode: 'IW',
      absoluteOrbitNumber: 22812,
      footprint: { type: 'MultiPolygon', coordinates: [[SQUARE], [SQUARE, SQUARE]] },
    }),
  },
  { member: 'type', parse: parsePlanetScopeMetadata, seed: toPlanetScopeJson('20230915_103045_12_24c8') },
  {
    member: 'properties',
    parse: parseSentinel2StacItem,
    seed: JSON.stringify({
      id: 'S2A_31UFR_20220219_2_L2A',
      geometry: { type: 'Polygon', coordinates: [SQUARE] },
      properties: {
        datetime: '2022-02-19T10:54:25.405000Z',
        'eo:cloud_cover': 4.05,
        'sentinel:data_coverage': '80',
        'earthsearch:boa_offset_applied': true,
      },
    }),
  },
];

/** Metadata of products in JSON. */
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
  readSeeds: () => kinds.map(({ seed }) => Buffer.from(seed)),
  run(input) {
    const text = Buffer.from(input).toString();
    const value = parseJsonObject(text, 'x.json');
    // Damaged metadata without any of the members goes to the parser that asks for least.
    const { parse } = kinds.find(({ member }) => member in value) ?? { parse: parseSentinel2StacItem };
    parse(text, 'x.json');
  },
};
