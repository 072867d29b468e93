import fc from 'fast-check';
import { RESAMPLE_NAMES } from '../../../src/http/pictures/picture.ts';

/** Names under which things are stored in the service that is asked. */
export interface StoredNames {
  readonly areas: readonly string[];
  readonly colormaps: readonly string[];
}

/** Parts of a query string, `NAME=value`, not yet encoded. */
export type QueryParts = readonly (readonly [name: string, value: string])[];

const MANY_RIGHT = 14;

/** Mostly right values, sometimes wrong ones. */
const mostly = (right: readonly string[], wrong: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...right), weight: MANY_RIGHT },
    {
      arbitrary: fc.constantFrom('', 'x', '-1', '1e999', 'NaN', '\0', '٣', '__proto__', ...wrong),
      weight: 1,
    },
  );

/** Nearly always the second, whatever the first is. */
export const rarely = <Value>(odd: fc.Arbitrary<Value>, common: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ arbitrary: common, weight: 30 }, { arbitrary: odd, weight: 1 });

const one = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<QueryParts> =>
  value.map((text) => [[name, text]]);

const anySwitch = mostly(['1', 'true', '0', 'false', 'TRUE'], ['yes', '2', 'on']);
const anyRange = mostly(
  ['0,3000', '-1,1', '0,1', '0,255', '1e-3,2e4', '100,100.0001', '-1e30,1e30', '0,1e-40', '-3.4e38,3.4e38'],
  ['1,0', '5,5', '1', '1,2,3', 'a,b', '0x1,2', ' 1,2', '-1e308,1e308'],
);
const anyArea = ({ areas }: StoredNames): fc.Arbitrary<string> =>
  mostly(areas, ['0123456789abcdef0123456789abcdef', '../../etc/passwd', 'ABC']);

/** Names of colormaps, right and wrong. */
export const anyColormapName = ({ colormaps }: StoredNames): fc.Arbitrary<string> =>
  mostly(
    ['viridis', 'RdYlGn_r', 'tab10', 'gray', ...colormaps, ...colormaps.map((id) => `${id}_r`)],
    ['nope', 'viridis_r_r', 'constructor', '0123456789abcdef0123456789abcdef', '..%2f'],
  );

/** COLORS and THRESHOLDS, mostly as the pair they should be. */
const anyRangeColors: fc.Arbitrary<QueryParts> = fc
  .record({
    colors: fc.array(fc.constantFrom('ff0000', '00FF00', '0000ff', '123456'), { minLength: 1, maxLength: 6 }),
    first: fc.constantFrom(-1, 0, 0.2, 300, 1e30),
    step: fc.constantFrom(0.1, 1, 500, 0),
    odd: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'none', 'more', 'alone', 'bad'),
  })
  .map(({ colors, first, step, odd }) => {
    const thresholds = colors.slice(odd === 'more' ? 0 : 1).map((_, i) => first + i * step);
    return [
      ['COLORS', odd === 'bad' ? `${colors.join()},red` : colors.join()],
      ...(odd === 'alone' ? [] : [['THRESHOLDS', thresholds.join()] as const]),
    ];
  });

const anyPalette = mostly(
  [
    '{"4":"#00ff00","5":[1,0,0.5],"0":"#000000"}',
    '{"(15,14)":"#ffffff","4":"#0000ff"}',
    '{"-3":"#00ff00"}',
    '{}',
  ],
  [
    '[]',
    '{',
    '{"1":"red"}',
    '{"1.5":"#ffffff"}',
    '{"__proto__":"#ffffff"}',
    '{"1e99":"#ffffff"}',
    '{"1":[2,0,0]}',
  ],
);

const anySize = mostly(
  ['64,64', '1,1', '300,20', '17,200', '1,2048', '2048,1', '256,256', '400,400', '1500,900', '2048,2048'],
  ['0,5', '2049,1', '5', '-1,5', '1e3,4', '5,5,5', '4294967296,1'],
);

const anyCrs = mostly(
  ['EPSG:3857', 'EPSG:4326', 'epsg:32610', '32611', 'EPSG:32733', 'EPSG:26910'],
  ['EPSG:0', 'EPSG:99999', 'WGS84', 'EPSG:2154', 'EPSG:32600', 'EPSG:32661', '+proj=merc'],
);

/** Queries of pictures: a few of all the parameters. */
export function anyPictureQuery(stored: StoredNames): fc.Arbitrary<QueryParts> {
  const clustering = fc
    .tuple(
      mostly(['kmeans', 'kmeans', 'KMEANS', '0'], ['dbscan']),
      fc.option(mostly(['2', '5', '20'], ['1', '21', '2.5']), { nil: undefined }),
      fc.option(mostly(['0', '500', '2000.5', '1e12', '1e308'], ['-5']), { nil: undefined }),
    )
    .map(
      ([name, count, area]): QueryParts => [
        ['CLUSTERING', name],
        ...(count === undefined ? [] : [['CLUSTERS_NO', count] as const]),
        ...(area === undefined ? [] : [['MIN_AREA', area] as const]),
      ],
    );
  const masking = fc
    .tuple(
      mostly(['CLOUD', 'CLOUD', 'cloud', '0'], ['SNOW']),
      fc.option(mostly(['fefefe', '#0f0', 'abc'], ['white', '12345']), { nil: undefined }),
    )
    .map(
      ([name, color]): QueryParts => [
        ['MASKING', name],
        ...(color === undefined ? [] : [['MASK_COLOR', color] as const]),
      ],
    );
  const limit = mostly(['2', '7', '256'], ['1', '257', '3.5']);
  const colormap = fc
    .tuple(anyColormapName(stored), fc.option(limit, { nil: undefined }))
    .map(
      ([name, count]): QueryParts => [
        ['COLORMAP', name],
        ...(count === undefined ? [] : [['COLORS_LIMIT', count] as const]),
      ],
    );
  const lone = [
    ['unknown', '1'],
    ['CLUSTERS_NO', '3'],
    ['MASK_COLOR', 'fff'],
    ['COLORS_LIMIT', '7'],
  ] as const;
  const anyRightPart = fc.oneof(
    one('MIN_MAX', anyRange),
    one('CALIBRATE', anySwitch),
    one('COMPOSITE', anySwitch),
    one('PANSHARPENING', anySwitch),
    one('RESAMPLE', mostly(RESAMPLE_NAMES, ['nearest', 'CUBIC'])),
    colormap,
    anyRangeColors,
    one('PALETTE', anyPalette),
    masking,
    clustering,
    one('cropper_ref', anyArea(stored)),
    one('crs', anyCrs),
    one('TILE_SIZE', anySize),
    one('mimetype', mostly(['image/png', 'image/jpeg', 'image/webp'], ['image/gif', 'png'])),
  );
  const anyPart = rarely(
    fc.constantFrom(...lone).map((part): QueryParts => [part]),
    anyRightPart,
  );
  return anyParts(anyPart, 5);
}

/** Queries of intensity ranges. */
export function anyIntensityQuery(stored: StoredNames): fc.Arbitrary<QueryParts> {
  const boxes = [
    '-180,-90,180,90',
    '179,-10,-179,10',
    '-122.5,48.9,-122.3,49.2',
    '0,0,1,1',
    '-122.36,49.07,-122.35,49.08',
  ];
  const anyPart = fc.oneof(
    one('method', mostly(['cc', 'mean', 'minmax', 'histogram'], ['CC', 'median'])),
    one('min', mostly(['0', '2', '50'], ['101', '-0.1', '100'])),
    one('max', mostly(['98', '100', '99.99', '51'], ['101', '0'])),
    one('multi', mostly(['0', '2', '1000', '0.5'], ['1001'])),
    ...['cloud', 'only_opaque_cloud', 'CALIBRATE'].map((name) => one(name, anySwitch)),
    one('BBOX', mostly(boxes, ['1,2,3', '0,0,0,1', '0,5,1,4', '-181,0,0,1', '1,1,1,1'])),
    one('cropper_ref', anyArea(stored)),
  );
  return anyParts(anyPart, 4);
}

/** Queries of colorbars and of legends of colormaps. */
export const anyColorbarQuery: fc.Arbitrary<QueryParts> = anyParts(
  fc.oneof(
    one('MIN_MAX', anyRange),
    one('WIDTH', mostly(['1', '256', '2048'], ['0', '2049'])),
    one('HEIGHT', mostly(['1', '24', '512'], ['0', '513'])),
    one('LIMIT', mostly(['2', '9', '256'], ['1', '257'])),
  ),
  3,
);

/** Queries that hold nothing but a switch. */
export const anyCalibrateQuery: fc.Arbitrary<QueryParts> = anyParts(one('CALIBRATE', anySwitch), 1);

/** Of each name the first, except now and then: then it is given twice. */
function anyParts(anyPart: fc.Arbitrary<QueryParts>, max: number): fc.Arbitrary<QueryParts> {
  const isTwice = rarely(fc.constant(true), fc.constant(false));
  return fc.tuple(fc.array(anyPart, { maxLength: max }), isTwice).map(([lists, areTwice]) => {
    const parts = lists.flat();
    return areTwice ? parts : parts.filter(([name], i) => parts.findIndex(([other]) => other === name) === i);
  });
}
