import { parseArea, rasterizeArea } from '../../../src/areas/index.ts';
import {
  parseColormap,
  planColor,
  planColormap,
  toColormapAnswer,
  toColormapId,
} from '../../../src/color/index.ts';
import { toOutline } from '../../../src/geo/index.ts';
import { parseJsonBody } from '../../../src/http/kit/bodies.ts';
import type { FuzzTarget } from '../target.ts';

const JSON_TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '[[',
    ']]',
    '"\\u0000"',
    '"\\ud800"',
    '{}',
    '[]',
    '""',
    'null',
    'true',
  ],
  ...['0', '-1', '1.5', '1e999', '1e-320', '256', '257', '16777217', '-0', '00'],
  ...['"__proto__"', '"constructor"', '"toString"', '"length"'],
];

const toSeeds = (values: readonly unknown[]) => () =>
  values.map((value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

/** Palettes, colours and thresholds of a query; the first byte says which. */
export const colors: FuzzTarget = {
  name: 'colors',
  maxBytes: 8_192,
  tokens: [...JSON_TOKENS, '"(15,14)"', '(13, 12)', 'ff0000', '#fff', 'rgb(1,2,3)', '[255,0,0]', '٣', ';'],
  readSeeds: toSeeds([
    'v{"1": "ff0000", "2": [0, 255, 0], "-3": "#00f"}',
    'b{"(15,14)": "ffffff", "0": "000000", "(13, 12)": [1, 2, 3]}',
    'cff0000,00ff00,0000ff;0.5,0.75',
  ]),
  run(input) {
    const text = Buffer.from(input).toString();
    const [kind, rest] = [text.slice(0, 1), text.slice(1)];
    const [colors = '', thresholds = ''] = rest.split(';');
    const asked = kind === 'c' ? { colors, thresholds } : { palette: rest };
    planColor({
      ...asked,
      minMax: null,
      channels: 1,
      hasBits: kind === 'b',
      hasWholeValues: true,
      defaultPalette: null,
      alias: null,
      cache: new Map(),
    });
  },
};

/** Bodies of colormaps: what is accepted can be named, read back and painted with. */
export const colormap: FuzzTarget = {
  name: 'colormap',
  maxBytes: 64 * 1024,
  tokens: [
    ...JSON_TOKENS,
    ...['"colors"', '"type"', '"labels"', '"thresholds_type"', '"discrete"', '"continuous"', '"absolute"'],
    ...['"#ff0000"', '"abc"', '[0.5,"00ff00"]', '[0,[1,2,3]]'],
  ],
  readSeeds: toSeeds([
    { colors: ['ff0000', '#00ff00', [0, 0, 255]] },
    {
      colors: [
        [0, 'ff0000'],
        [0.3, '00ff00'],
        [1, '0000ff'],
      ],
      type: 'continuous',
      thresholds_type: 'relative',
    },
    {
      colors: [
        [-1, 'ff0000'],
        [2.5, '00ff00'],
      ],
      type: 'discrete',
      thresholds_type: 'absolute',
      labels: ['a', 'b'],
    },
  ]),
  async run(input) {
    const content = parseColormap(parseJsonBody(input));
    if (toColormapId(parseColormap(toColormapAnswer(content))) !== toColormapId(content))
      throw new Error('a colormap that was read back is another');
    const isReversed = input.length % 2 === 0;
    planColormap({ kind: 'custom', content, isReversed }, { colorsLimit: null, range: { min: 0, max: 1 } });
  },
};

const SQUARE = [
  [0, 0],
  [1.5, 0],
  [1.5, 1],
  [0, 1],
  [0, 0],
];
const HOLE = [
  [0.2, 0.2],
  [0.4, 0.2],
  [0.4, 0.4],
  [0.2, 0.2],
];

/** Bodies of areas: what is accepted can be made pixels. */
export const area: FuzzTarget = {
  name: 'area',
  maxBytes: 32 * 1024,
  tokens: [
    ...JSON_TOKENS,
    ...['"type"', '"Feature"', '"Polygon"', '"MultiPolygon"', '"geometry"', '"coordinates"', '"properties"'],
    ...['[0,0],', '[180,90]', '[-180,-90]', '[179,0],[-179,0]', '"crs"'],
  ],
  readSeeds: toSeeds([
    { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [SQUARE, HOLE] } },
    { geometry: { type: 'MultiPolygon', coordinates: [[SQUARE], [SQUARE.map(([x, y]) => [x! + 3, y])]] } },
    {
      type: 'Polygon',
      coordinates: [
        [
          [179, 1],
          [-179, 1],
          [-179, 2],
          [179, 2],
          [179, 1],
        ],
      ],
    },
  ]),
  async run(input) {
    const { geometry } = parseArea(parseJsonBody(input));
    rasterizeArea(toOutline(geometry), {
      epsg: 4326,
      transform: [-1, 0.1, 0, 2, 0, -0.1],
      width: 32,
      height: 32,
    });
  },
};
