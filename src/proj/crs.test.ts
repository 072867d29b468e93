import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../errors.ts';
import { casesOf } from '../testing/test-size.ts';
import { makeProjection } from './projection.ts';

const SINUSOIDAL = '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs';
const SINUSOIDAL_WKT =
  'PROJCS["Sinusoidal",GEOGCS["Unknown",DATUM["Not specified",SPHEROID["Custom spheroid",6371007.181,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Sinusoidal"],PARAMETER["longitude_of_center",0],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]';
const MERCATOR_WKT =
  'PROJCS["WGS 84 / Pseudo-Mercator",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],UNIT["metre",1],EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs"]]';

// Made with PROJ 9.5.1 through pyproj (x before y), four decimals; test/oracle/proj compares whole grids of points.
const known = [
  { crs: 26910, position: [-121.5, 45], wanted: [618222.9659, 4984044.7984] },
  { crs: 25832, position: [9.5, 48.25], wanted: [537117.1419, 5344208.1219] },
  { crs: 31985, position: [-33.5, -8], wanted: [444899.7295, 9115668.6882] },
  { crs: 31970, position: [-87, 15], wanted: [500000.0, 1658325.9935] },
  { crs: 28355, position: [147.5, -35], wanted: [545626.027, 6126842.7456] },
  { crs: 7855, position: [147.5, -35], wanted: [545626.027, 6126842.7456] },
  { crs: 5070, position: [-105, 40], wanted: [-760465.7454, 1923013.9798] },
  { crs: 3035, position: [9.5, 48.25], wanted: [4283851.0318, 2793067.6004] },
  { crs: 3577, position: [140, -25], wanted: [797850.9657, -2727559.6332] },
  { crs: 6933, position: [20, -30], wanted: [1929725.605, -3658789.3249] },
  { crs: 3031, position: [70, -75], wanted: [1539952.5162, 560496.8781] },
  { crs: 3413, position: [-100, 80], wanted: [-889533.8315, -622858.2943] },
  { crs: 3976, position: [-60, -70], wanted: [-1894800.9259, 1093963.8246] },
  { crs: 3995, position: [150, 85], wanted: [271796.6491, 470765.6055] },
  { crs: 32661, position: [33, 86], wanted: [2241965.9287, 1627405.144] },
  { crs: 32761, position: [-120, -84], wanted: [1422596.8712, 1666636.1482] },
  { crs: 4258, position: [9.5, 48.25], wanted: [9.5, 48.25] },
  { crs: SINUSOIDAL, position: [20, 48], wanted: [1488080.2511, 5337362.4949] },
  { crs: SINUSOIDAL_WKT, position: [20, 48], wanted: [1488080.2511, 5337362.4949] },
  {
    crs: '+proj=laea +lat_0=90 +lon_0=0 +datum=WGS84',
    position: [-30, 70],
    wanted: [-1110835.4437, -1924023.4274],
  },
] as const;

test('CRSs known by code or by definition agree with PROJ', () => {
  for (const { crs, position, wanted } of known) {
    const { forward, inverse } = makeProjection(4326, crs);
    const got = forward(position[0], position[1]);
    const tolerance = Math.abs(wanted[0]) <= 180 ? 1e-8 : 1e-3;
    for (const axis of [0, 1] as const) {
      assert.ok(Math.abs(got[axis] - wanted[axis]) <= tolerance, `${crs}: ${got} is not ${wanted}`);
      assert.ok(Math.abs(inverse(...got)[axis] - position[axis]) <= 1e-8, `${crs}: the inverse`);
    }
  }
});

test('a southern zone extends north of the equator, and a northern one south of it', () => {
  const [, north] = makeProjection(4326, 32736).forward(33, 1);
  assert.ok(north > 1e7);
  const [, south] = makeProjection(4326, 32636).forward(33, -1);
  assert.ok(south < 0);
  assert.ok(Math.abs(makeProjection(32636, 4326).forward(500000, south)[1] + 1) < 1e-9);
});

test('two definitions of one CRS are the same CRS', () => {
  const [x, y] = makeProjection(SINUSOIDAL, SINUSOIDAL_WKT).forward(1234567, 3456789);
  assert.ok(Math.hypot(x - 1234567, y - 3456789) < 1e-6);
  const [a, b] = makeProjection(3857, MERCATOR_WKT).forward(1234567, 3456789);
  assert.ok(Math.hypot(a - 1234567, b - 3456789) < 1e-6);
});

test('definitions with forbidden parts are refused', () => {
  const refused: readonly string[] = [
    '',
    'EPSG:4326',
    'WGS84',
    'constructor',
    '__proto__',
    '+proj=longlat +nadgrids=/etc/passwd',
    '+proj=utm +zone=36 +nadgrids=@conus',
    '+proj=pipeline +step +proj=utm',
    '+init=epsg:4326',
    '+proj=longlat +datum=WGS84 +proj=utm',
    '+proj=utm +zone=1e999',
    '+proj=utm +zone=x',
    '+proj=utm +axis=wsu',
    '+proj=longlat +datum=NAD27',
    '+proj=krovak',
    '+proj=hatano',
    '+zone=36 +datum=WGS84',
    'proj=longlat',
    `+proj=longlat ${'+no_defs '.repeat(4)}`,
    `+proj=longlat +lat_0=${'1'.repeat(20_000)}`,
    'PROJCS[',
    'PROJCS["x"]',
    'GEOGCS["x",DATUM["y",SPHEROID["z",-5,0]]]',
    'PROJCS["x",EXTENSION["PROJ4","+proj=longlat +nadgrids=file"]]',
    'PROJCS["x",EXTENSION["OTHER","+proj=longlat"]]',
    MERCATOR_WKT.replace('Mercator_1SP', 'Krovak').replace(/,EXTENSION.*/, ']'),
  ];
  for (const text of refused) {
    assert.throws(
      () => makeProjection(text, 4326),
      ({ tag, code }: { tag: string; code: string }) =>
        (tag === 'bad-input' && code === 'bad-crs') || (tag === 'unsupported' && code === 'unknown-crs'),
      text.slice(0, 60),
    );
  }
});

test('damaged definitions return a named error or a projection that never throws', () => {
  const texts = fc.constantFrom(SINUSOIDAL, SINUSOIDAL_WKT, MERCATOR_WKT.replace(/,EXTENSION.*/, ']'));
  const cut = fc.tuple(texts, fc.nat(700), fc.nat(60), fc.string({ maxLength: 6 }));
  fc.assert(
    fc.property(cut, ([text, at, length, instead]) => {
      const damaged = text.slice(0, at) + instead + text.slice(at + length);
      try {
        const { forward, inverse } = makeProjection(4326, damaged);
        for (const position of [forward(10, 50), inverse(1e6, 1e6), inverse(1e300, 0)])
          assert.equal(position.length, 2);
      } catch (error) {
        assert.ok(isSwathError(error), `${damaged}: ${error}`);
      }
    }),
    // The word x in a WKT, which proj4 took for a coordinate.
    { numRuns: casesOf(2000), examples: [[[SINUSOIDAL_WKT, 278, 4, 'x']]] },
  );
});

test('a plus sign inside a number and a second equals sign are refused: proj4 would read something else', () => {
  for (const text of [
    '+proj=laea +lat_0=+45',
    '+proj=laea +x_0=1e+5',
    '+proj=laea==cea',
    '+proj=laea +lat_0=4=5',
  ]) {
    assert.throws(() => makeProjection(text, 4326), { code: 'bad-crs' }, text);
  }
});
