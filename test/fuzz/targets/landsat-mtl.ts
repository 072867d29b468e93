import { parseLandsatMtl } from '../../../src/ingest/families/landsat-mtl.ts';
import type { LandsatText } from '../../../src/ingest/families/testing/product-texts.ts';
import {
  toLandsatJson,
  toLandsatOdl,
  toLandsatXml,
} from '../../../src/ingest/families/testing/product-texts.ts';
import type { FuzzTarget } from '../target.ts';
import { longWords } from './long-words.ts';

/** One of each collection, and one of Level 2. */
const PRODUCTS: readonly LandsatText[] = [
  { sceneId: 'LC80160372017225LGN00', productId: null, collection: 0, level: 'L1T' },
  {
    sceneId: 'LC80160372017225LGN00',
    productId: 'LC08_L1TP_016037_20170813_20170825_01_T1',
    collection: 1,
  },
  {
    sceneId: 'LC80160372017225LGN00',
    productId: 'LC08_L2SP_016037_20170813_20200908_02_T1',
    collection: 2,
    level: 'L2SP',
  },
];

/** MTL files in their three forms. */
export const landsatMtl: FuzzTarget = {
  name: 'landsat-mtl',
  maxBytes: 256 * 1024,
  tokens: [
    ...longWords,
    ...['0', '-1', '1e999', '1.', '.5', '+', '00', '"', '""', '=', ' = ', '\n', '\r', '\u2028', '\0'],
    ...['GROUP', 'END_GROUP', 'END\n', 'GROUP = IMAGE_ATTRIBUTES\n', 'END_GROUP = IMAGE_ATTRIBUTES\n'],
    ...['FILE_NAME_BAND_', '../x', '__proto__', 'constructor', 'REFLECTANCE_MULT_BAND___proto__'],
    ...['{', '}', '[', ']', ',', ':', 'null', '"\\ud800"', '<A>', '</A>', '<A x="/>">', '<!--', '<![CDATA['],
    ...['"2017-02-30"', '2017-08-13', '24:00:00Z', 'COLLECTION_NUMBER', 'L1_METADATA_FILE'],
  ],
  readSeeds: () =>
    PRODUCTS.flatMap((product) =>
      [toLandsatOdl, toLandsatJson, toLandsatXml].map((write) => Buffer.from(write(product))),
    ),
  run: (input) => parseLandsatMtl(Buffer.from(input).toString(), 'x_MTL'),
};
