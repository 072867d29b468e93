import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Scene } from '../../../src/catalog/index.ts';

/** What a plain search in the text files of a product finds, against the record. */
export function compareTexts(scene: Scene): string[] {
  const href = Object.values(scene.assets)[0]!.href;
  const faults: string[] = [];
  const expect = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) faults.push(`${what}: ${String(ours)}, the texts say ${String(theirs)}`);
  };
  const compare = comparisons.find(([prefix]) => scene.viewId.startsWith(prefix))?.[1];
  if (compare === undefined) return [`no comparison for ${scene.viewId}`];
  compare(scene, href, expect);
  return faults;
}

type Expect = (what: string, ours: unknown, theirs: unknown) => void;
type Compare = (scene: Scene, href: string, expect: Expect) => void;

/** The texts of a folder and of those above, one after the other. */
function textsNear(folder: string, pattern: RegExp, levels: number): string {
  const here = readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return [...here, ...(levels > 0 ? [textsNear(dirname(folder), pattern, levels - 1)] : [])].join('\n');
}

const first = (text: string, pattern: RegExp): string | null => pattern.exec(text)?.[1] ?? null;
const number = (text: string | null): number | null => (text === null ? null : Number(text));

const landsat: Compare = (scene, href, expect) => {
  const stem = basename(href).replace(/(_S[RT])?_(B\w+|QA_PIXEL)\.TIF$/i, '');
  const text = textsNear(dirname(href), new RegExp(`^${stem}_MTL\\.(txt|xml|json)$`), 0).replaceAll('\0', '');
  const field = (name: string) => first(text, new RegExp(`\\b${name}\\b"?\\s*[=:>]\\s*"?([^"<\\s,]+)`));
  if (text === '') {
    // No metadata: the folder's name is the product id, and its fourth part the day.
    const id = basename(dirname(href));
    expect('view id', scene.viewId, `${scene.viewId.split('/')[0]}/${id}`);
    expect('day', scene.acquiredAt.slice(0, 10).replaceAll('-', ''), id.split('_')[3]);
    return;
  }
  expect('cloud', scene.cloudPercent, number(field('CLOUD_COVER')));
  expect('sun', scene.sunElevationDeg, number(field('SUN_ELEVATION')));
  expect('azimuth', scene.sunAzimuthDeg, number(field('SUN_AZIMUTH')));
  expect('day', scene.acquiredAt.slice(0, 10), field('DATE_ACQUIRED'));
  expect('time', scene.acquiredAt.slice(11, 19), field('SCENE_CENTER_TIME')?.slice(0, 8));
  expect('scene id', scene.sceneId, field('LANDSAT_SCENE_ID'));
  const isLevel2 = stem.includes('_L2');
  expect('view id', scene.viewId.split('/')[1], isLevel2 ? stem : field('LANDSAT_SCENE_ID'));
  expect('path', scene.fields.path, number(field('WRS_PATH')));
  expect('row', scene.fields.row, number(field('WRS_ROW')));
  if (isLevel2) return;
  const numbers = { radiance: 'RADIANCE', reflectance: 'REFLECTANCE' } as const;
  for (const [band, { radiance, reflectance, thermal }] of Object.entries(scene.calibration?.bands ?? {})) {
    const key = band === 'B6' && scene.dataset === 'landsat7' ? '6_VCID_1' : band.slice(1);
    for (const [scale, quantity] of [
      [radiance, numbers.radiance],
      [reflectance, numbers.reflectance],
    ] as const) {
      expect(`${band} ${quantity} mult`, scale?.mult ?? null, number(field(`${quantity}_MULT_BAND_${key}`)));
      expect(`${band} ${quantity} add`, scale?.add ?? null, number(field(`${quantity}_ADD_BAND_${key}`)));
    }
    expect(`${band} k1`, thermal?.k1 ?? null, number(field(`K1_CONSTANT_BAND_${key}`)));
    expect(`${band} k2`, thermal?.k2 ?? null, number(field(`K2_CONSTANT_BAND_${key}`)));
  }
};

const sentinel2: Compare = (scene, href, expect) => {
  const folder = /\/R\d0m\//.test(href) ? dirname(dirname(href)) : dirname(href);
  const tile = textsNear(folder, /^tileInfo\.json$/, 0);
  const granule = textsNear(folder, /^metadata\.xml$/, 0);
  const item = textsNear(folder, /^S2\w+_L2A\.json$/, 0);
  const path = first(tile, /"path"\s*:\s*"tiles\/([^"]+)"/);
  if (path !== null) expect('view id', scene.viewId.replace(/^S2(L2A)?\//, ''), path);
  const [, zone, square, day, sequence] = /"id":"S2._(\d+)(\w{3})_(\d{8})_(\d+)_L2A"/.exec(item) ?? [];
  if (zone !== undefined) {
    const parts = scene.viewId.split('/');
    expect('view id', `${parts[1]} ${parts[2]}${parts[3]} ${parts[7]}`, `${zone} ${square} ${sequence}`);
    expect('day', parts[4]! + parts[5]!.padStart(2, '0') + parts[6]!.padStart(2, '0'), day);
  }
  const stated = (xml: RegExp, json: RegExp, stac: RegExp) =>
    number(first(granule, xml) ?? (item === '' ? first(tile, json) : first(item, stac)));
  const none = /(?!)/;
  expect(
    'cloud',
    scene.cloudPercent,
    stated(
      /<CLOUDY_PIXEL_PERCENTAGE>([\d.]+)/,
      /"cloudyPixelPercentage"\s*:\s*([\d.]+)/,
      /"eo:cloud_cover":([\d.]+)/,
    ),
  );
  const zenith = first(granule, /<Mean_Sun_Angle>\s*<ZENITH_ANGLE[^>]*>([\d.]+)/);
  const sun = zenith === null ? stated(none, none, /"view:sun_elevation":([\d.]+)/) : 90 - Number(zenith);
  expect('sun', scene.sunElevationDeg, sun);
  const coverage = number(first(tile, /"dataCoveragePercentage"\s*:\s*([\d.]+)/));
  if (coverage !== null) expect('coverage', scene.coveragePercent, coverage);
  const time =
    first(granule, /<SENSING_TIME[^>]*>([^<]+)</) ??
    first(tile, /"timestamp"\s*:\s*"([^"]+)"/) ??
    first(item, /"datetime":"([^"]+)"/);
  expect('time', scene.acquiredAt.slice(0, 19), time?.slice(0, 19));
};

const sentinel1: Compare = (scene, href, expect) => {
  const folder = dirname(dirname(href));
  const text = textsNear(folder, /^productInfo\.json$/, 0);
  expect('view id', scene.viewId, `S1/${first(text, /"id"\s*:\s*"([^"]+)"/)}`);
  expect('time', scene.acquiredAt.slice(0, 19), first(text, /"startTime"\s*:\s*"([^"]+)"/));
  expect('orbit', scene.fields.absoluteOrbitNumber, number(first(text, /"absoluteOrbitNumber"\s*:\s*(\d+)/)));
  expect('polarization', scene.fields.polarization, first(text, /"polarization"\s*:\s*"(\w+)"/));
};

const cbers: Compare = (scene, href, expect) => {
  const id = basename(href).replace(/_BAND\d+\.tif$/, '');
  const parts = id.split('_');
  expect('view id', scene.viewId, `CBERS4${parts[2]}/${id}`);
  expect('day', scene.acquiredAt.slice(0, 10).replaceAll('-', ''), parts[3]);
};

const modis: Compare = (scene, href, expect) => {
  const [, year, day, h, v, produced] =
    /A(\d{4})(\d{3})\.h(\d\d)v(\d\d)\.\d{3}\.(\d{13})/.exec(basename(href)) ?? [];
  expect('view id', scene.viewId, `MODIS/${h}/${v}/${year}${day}/${produced}`);
  const date = new Date(Date.UTC(Number(year), 0, Number(day))).toISOString();
  expect('day', scene.acquiredAt, date);
};

const naip: Compare = (scene, href, expect) => {
  const name = basename(href, '.tif');
  const text = textsNear(dirname(href), new RegExp(`^${name}(_\\d{8})?\\.(txt|xml)$`), 0);
  const state = first(
    text,
    /(?:Place_Keyword: |<placekey>|keyword>\s*<gco:CharacterString>)([A-Z]{2})\s*(?:<|$)/m,
  );
  const [, state_, year, , , quad, scene_] = scene.viewId.split('/');
  expect('state', state_, state?.toLowerCase());
  expect('scene', scene_, name);
  expect('quad', quad, name.slice(2, 7));
  expect('year', year, name.split('_')[5]?.slice(0, 4));
  expect('day', scene.acquiredAt.slice(0, 10).replaceAll('-', ''), name.split('_')[5]);
};

const comparisons: readonly (readonly [string, Compare])[] = [
  ['L', landsat],
  ['S2', sentinel2],
  ['S1/', sentinel1],
  ['CBERS4', cbers],
  ['MODIS/', modis],
  ['NAIP/', naip],
];
