import { areaParser } from '../../../src/areas/testing/area-parser.ts';
import { tileGrid } from '../../../src/geo/index.ts';
import { parseJsonBody, writeJson } from '../../../src/http/kit/bodies.ts';
import { limits } from '../../../src/http/kit/limits.ts';
import { makeIgnoredNames, parseQuery } from '../../../src/http/kit/parameters.ts';
import { parsePicturePath, parseSharpenPattern } from '../../../src/http/kit/paths.ts';
import { parsePictureQuery } from '../../../src/http/pictures/picture.ts';
import { parseSearch } from '../../../src/http/search/body.ts';
import { parseIntensityQuery } from '../../../src/http/values/intensity-range.ts';
import { aTicket } from '../../../src/pool/testing/run-here.ts';
import type { Sensor } from '../../../src/sensors/index.ts';
import { sensorByAbbreviation, sensors } from '../../../src/sensors/index.ts';
import type { FuzzTarget } from '../target.ts';

const toSeeds = (texts: readonly string[]) => () => texts.map((text) => Buffer.from(text));
/** A request's head as Node hands it over: one character a byte. */
const toHeadText = (input: Uint8Array) => Buffer.from(input).toString('latin1');

const NUMBERS = ['0', '-1', '1e999', '2147483648', '4294967296', '00', '0x1', '1.5', 'NaN', '٣'];
const ESCAPES = ['%', '%2F', '%00', '%2e%2e', '%25', '%C0%AF', '%ED%A0%80', '+', '/', '//', '..', '\\', '\0'];

/** Paths of tiles. */
export const renderPath: FuzzTarget = {
  name: 'render-path',
  maxBytes: limits.pathChars,
  tokens: [
    ...NUMBERS,
    ...ESCAPES,
    'S2',
    'B04',
    ',',
    '(B08-B04)/(B08+B04)',
    ';',
    ';4326',
    '31',
    'T',
    'CJ',
    '2016',
  ],
  readSeeds: toSeeds([
    'S2/36/U/XU/2016/5/2/0/B04,B03,B02/10/611/354',
    'S2/31/T/CJ/2026/11/15/1/(B08-B04)%2F(B08+B04)/0/0/0/',
    'S2/1/C/AA/2015/1/1/0/B8A/22/4194303/4194303',
    'S2/33/N/WA/2020/10/2/0/(NIR-RED)/(NIR+RED)/16/15.711997;15.729935;4326/0.778272;0.792347;4326',
  ]),
  run: (input) => parsePicturePath(toHeadText(input)),
};

/** Query strings, and what tiles take from them. */
export const query: FuzzTarget = {
  name: 'query',
  maxBytes: limits.queryChars,
  tokens: [
    ...[...NUMBERS, ...ESCAPES, '&', '=', ',', 'MIN_MAX', 'RESAMPLE', '__proto__', 'constructor', 'crs'],
    ...['PANSHARPENING', 'MASKING', 'CLOUD', 'MASK_COLOR', 'CLUSTERING', 'kmeans', 'CLUSTERS_NO', 'MIN_AREA'],
    ...['PALETTE', 'COLORS', 'THRESHOLDS', 'COLORMAP', 'viridis', '_r', 'COLORS_LIMIT', 'COMPOSITE', 'fff'],
    ...['TILE_SIZE', 'cropper_ref', 'mimetype', 'CALIBRATE', 'true', '{"1":"#ff0000"}', '#', '2048', '2049'],
  ],
  readSeeds: toSeeds([
    'mimetype=image/png&RESAMPLE=cubic&MIN_MAX=0,3000&crs=EPSG:3857',
    'MIN_MAX=-1.5e3%2C2e4&CALIBRATE=0&mimetype=image%2Fwebp&api_key=abc',
    'TILE_SIZE=600,400&cropper_ref=c6af0ad18db8d56a0ff4934f6dedd2e1&crs=EPSG:32631',
    'RESAMPLE=q3&PANSHARPENING=false&callback=&x',
    'PANSHARPENING=1&MASKING=CLOUD&MASK_COLOR=fefefe&COMPOSITE=true&RESAMPLE=lanczos',
    'CLUSTERING=kmeans&CLUSTERS_NO=5&MIN_AREA=2000.5&COLORMAP=RdYlGn_r&MASKING=cloud',
    'PALETTE=%7B%224%22%3A%22%2300ff00%22%2C%22(15%2C14)%22%3A%5B1%2C0%2C0%5D%7D&CLUSTERING=0&MASKING=0',
    'COLORS=ad0028,fdfec2,007e47&THRESHOLDS=0.3,0.6&COLORS_LIMIT=16&COLORMAP=a9bc6eceeef2a13bb88a7f641dca3aa0',
  ]),
  run: (input) => parsePictureQuery(parseQuery(toHeadText(input))),
};

/** Queries of intensity ranges. */
export const intensityQuery: FuzzTarget = {
  name: 'intensity-query',
  maxBytes: limits.queryChars,
  tokens: [
    ...[...NUMBERS, ...ESCAPES, '&', '=', ',', '__proto__', '-180', '180', '90', '179.9', '1e-300', '100.1'],
    ...['method', 'cc', 'mean', 'minmax', 'histogram', 'min', 'max', 'multi', 'cloud', 'only_opaque_cloud'],
    ...['BBOX', 'cropper_ref', 'CALIBRATE', 'true', 'false'],
  ],
  readSeeds: toSeeds([
    'method=cc&min=2&max=98.5&cloud=1&only_opaque_cloud=0',
    'method=mean&multi=2.5&CALIBRATE=true&BBOX=-122.5,48.9,-122.3,49.2',
    'BBOX=179.5%2C-10%2C-179.5%2C10&cropper_ref=c6af0ad18db8d56a0ff4934f6dedd2e1&method=histogram',
    'method=minmax&BBOX=-180,-90,180,90&cloud=false',
  ]),
  run: (input) => parseIntensityQuery(parseQuery(toHeadText(input))),
};

const SHARPENED = ['L8', 'L7', 'S2'].map((name) => sensorByAbbreviation(name) as Sensor);

/** Bands that may be a pattern for sharpening; the first byte says of which sensor. */
export const sharpenPattern: FuzzTarget = {
  name: 'sharpen-pattern',
  maxBytes: limits.pathChars,
  tokens: [
    'PS:',
    'ps:',
    ':',
    '::',
    'B8',
    'B4',
    'B04',
    'PAN',
    'RED',
    'b3',
    'BQA',
    ' ',
    ',',
    '\t',
    '\0',
    '__proto__',
    '٣',
  ],
  readSeeds: toSeeds([
    '0PS:B4:B3:B2:B8',
    '1ps:B3:B8',
    '0 PS: RED:GREEN:BLUE:PAN',
    '2B04,B03,B02',
    '1PS:B5:B8',
  ]),
  run(input) {
    const text = Buffer.from(input).toString();
    const sensor = SHARPENED[(text.codePointAt(0) ?? 0) % SHARPENED.length] as Sensor;
    const grid = tileGrid({ z: 0, x: 0, y: 0 });
    const options = { ...parsePictureQuery(new Map()).options, color: {}, area: null, watermark: null };
    const scene = { sensor, viewId: 'L8/1', sceneName: '1' };
    parseSharpenPattern({ ...scene, bands: text.slice(1), grid, options });
  },
};

const BOX = [
  [0, 0],
  [1.5, 0],
  [1.5, 1e-3],
  [0, 0],
];

/** Bodies of searches: their JSON and what it says. */
export const search: FuzzTarget = {
  name: 'search',
  maxBytes: 256 * 1024,
  tokens: [
    ...['{', '}', '[', ']', '"\\u0000"', '"\\ud800"', ',', '1e999', '00', 'null', 'true', '{}', '[]', '""'],
    ...[
      '0',
      '-1',
      '1.5',
      '4294967296',
      '"0x1"',
      '"-1"',
      '"2026-02-30"',
      '"2026-06-21"',
      '[1,2]',
      '{"from":1}',
    ],
    ...['"search"', '"shape"', '"coordinates"', '"from"', '"to"', '"date"', '"asc"', '"__proto__"', '"sort"'],
  ],
  readSeeds: toSeeds(
    [
      { search: {} },
      { search: { satellites: ['sentinel2'], noSuchField: 1 }, fields: ['date', 'sceneID'] },
      { search: { shape: { type: 'Polygon', coordinates: [BOX] }, shapeRelation: 'WITHIN' }, limit: 10 },
      { search: { shape: { type: 'MultiPolygon', coordinates: [[BOX], [BOX, BOX]] } }, page: '3' },
      { search: { shape: { type: 'Point', coordinates: [2.5, 42.5] } }, sort: { cloudCoverage: 'asc' } },
      {
        onAmazon: 'True',
        search: {
          date: { from: '2026-06-01T00:00:00Z', to: '2026-06-30' },
          cloudCoverage: '20',
          latitudeBand: ['T', 'U'],
          utmZone: { from: 31 },
        },
      },
    ].map((body) => JSON.stringify(body)),
  ),
  async run(input) {
    const body = parseJsonBody(input);
    // the byte decides between the address of one sensor and that of all
    const named = input.length % 2 === 0 ? null : { id: 'all', sensors };
    const tellIgnored = makeIgnoredNames().add;
    const parseArea = (geometry: unknown) => areaParser.parse(writeJson(geometry), aTicket);
    await parseSearch(body, { named, parseArea, tellIgnored });
  },
};
