import { parseCbersXml } from '../../../src/ingest/families/cbers4.ts';
import { parseNaipMetadata } from '../../../src/ingest/families/naip.ts';
import {
  parseSentinel1Annotation,
  parseSentinel1Manifest,
} from '../../../src/ingest/families/sentinel1/metadata.ts';
import { parseSentinel1Calibration } from '../../../src/ingest/families/sentinel1/tables.ts';
import { readCloudPolygons } from '../../../src/ingest/families/sentinel2/cloud-polygons.ts';
import {
  parseSentinel2Granule,
  parseSentinel2Product,
} from '../../../src/ingest/families/sentinel2/metadata.ts';
import {
  cbersXml,
  cloudGml,
  sentinel1Manifest,
  toAnnotationXml,
  toCalibrationXml,
  toGranuleXml,
  toProductXml,
} from '../../../src/ingest/families/testing/product-texts.ts';
import { localName, parseXml } from '../../../src/xml/index.ts';
import type { FuzzTarget } from '../target.ts';
import { longWords } from './long-words.ts';

/** The parser of a document, by the end of its root's name; NAIP's parser takes all others. */
const PARSERS: readonly (readonly [string, (text: string, what: string) => unknown])[] = [
  ['_Tile_ID', parseSentinel2Granule],
  ['_User_Product', parseSentinel2Product],
  ['Mask', (text, what) => readCloudPolygons(text, what, () => {})],
  ['XFDU', parseSentinel1Manifest],
  ['product', parseSentinel1Annotation],
  ['calibration', parseSentinel1Calibration],
  ['prdf', parseCbersXml],
  ['', parseNaipMetadata],
];

const TABLE_LINES = [0, 600, 1200];
const straight = { lines: TABLE_LINES, pixels: [0, 40, 80, 120], value: () => 600 };
const curved = {
  lines: TABLE_LINES,
  pixels: Array.from({ length: 40 }, (_, i) => i * 40),
  value: (line: number, pixel: number) => 600 + Math.sin(pixel / 200) * 50 + line / 100,
};
const NAME = 'S2B_MSIL1C_20180617T105031_N0206_R051_T31UFR_20180617T120000';

/** Metadata of products in XML: the reader, and each parser on top of it. */
export const productXml: FuzzTarget = {
  name: 'xml',
  maxBytes: 256 * 1024,
  tokens: [
    ...longWords,
    ...['0', '-1', '1e999', '1.', '.5', ' 1 2 3', '9999999999', 'nan', '2018-06-17T10:50:31Z', ':', '"', "'"],
    ...[
      '<a>',
      '</a>',
      '<a/>',
      '<a b="/>">',
      '<?x </a> ?>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!DOCTYPE a>',
    ],
    ...['<', '>', '/', '&amp;', '&#x0;', '&#x10ffff;', '&#xD800;', '&lol;', '\0', '\u2028', 'xmlns:a="b"'],
    ...['<gml:Polygon>', '</gml:Polygon>', '<gml:posList>', 'srsDimension="3"', '__proto__', 'constructor'],
    ...['OPAQUE', 'metadata', 'placekey', 'MD_Keywords', 'band_id', 'VV', 'DESCENDING', 'EPSG:32631'],
  ],
  readSeeds: () =>
    [
      toGranuleXml({ level: '1C', tileId: 'T', sensingTime: '2018-06-17T10:50:31Z' }),
      toProductXml({ level: '1C', productName: NAME, baseline: '04.00', offset: -1000 }),
      toProductXml({ level: '2A', productName: NAME, baseline: '02.06', offset: null }),
      cloudGml,
      sentinel1Manifest,
      toAnnotationXml('VV'),
      toCalibrationXml('VV', straight),
      toCalibrationXml('HH', curved),
      cbersXml,
      '<metadata><place><placekey>San Diego</placekey><placekey>CA</placekey></place></metadata>',
    ].map((text) => Buffer.from(text)),
  run(input) {
    const text = Buffer.from(input).toString();
    const root = localName(parseXml(text, 'x.xml'));
    const [, parse] = PARSERS.find(([end]) => root.endsWith(end))!;
    parse(text, 'x.xml');
  },
};
