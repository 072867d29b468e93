import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePrj } from './parse-prj.ts';
import { Refusal } from './refusal.ts';

const geogcs = (name: string, datum: string): string =>
  `GEOGCS["${name}",DATUM["${datum}",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`;
const WGS84 = geogcs('GCS_WGS_1984', 'D_WGS_1984');
const utm = (meridian: number, northing: number, geographic = WGS84): string =>
  `PROJCS["UTM",${geographic},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",${northing}.0],PARAMETER["Central_Meridian",${meridian}.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`;

const assertAt = (actual: readonly number[], expected: readonly number[]): void => {
  // 1e-9 of a degree are 0.1 mm.
  for (const [i, value] of expected.entries()) assert.ok(Math.abs(actual[i]! - value) < 1e-9, `${actual}`);
};

test('UTM in both hemispheres and far from its meridian agrees with PROJ', () => {
  // gdaltransform -s_srs EPSG:32610 -t_srs EPSG:4326 (GDAL 3.6.2), and 32755, 25832.
  const north = parsePrj(utm(-123, 0));
  assertAt(north([600_000, 5_400_000]), [-121.639720753724, 48.7449841112233]);
  assertAt(north([300_000, 100_000]), [-124.797275229082, 0.904282609864961]);
  assertAt(parsePrj(utm(147, 10_000_000))([400_000, 7_000_000]), [145.991057638075, -27.118845826337]);
  const etrs = parsePrj(utm(9, 0, geogcs('GCS_ETRS_1989', 'D_ETRS_1989')));
  assertAt(
    etrs([3_500_000, 5_700_000]).map((value) => Number(value.toFixed(6))),
    [47.004825, 44.656442],
  );
});

test('an origin off the equator and feet are supported', () => {
  // gdaltransform -s_srs '+proj=tmerc +lat_0=42.5 +lon_0=-72.5 +k=0.9999642857142857 +x_0=299999.4 +units=ft'
  const wkt = `PROJCS["x",${WGS84},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-72.5],PARAMETER["Scale_Factor",0.9999642857142857],PARAMETER["Latitude_Of_Origin",42.5],UNIT["Foot",0.3048]]`;
  assertAt(parsePrj(wkt)([984_250, 0]), [-72.5, 42.5]);
  assertAt(parsePrj(wkt)([1_000_000, 50_000]), [-72.4414676350989, 42.6371830071641]);
});

test('degrees stay unchanged, and Web Mercator is converted back', () => {
  assert.deepEqual(parsePrj(WGS84)([1.5, 2.5]), [1.5, 2.5]);
  const web = `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",${WGS84},PROJECTION["Mercator_Auxiliary_Sphere"],UNIT["Meter",1.0]]`;
  // gdaltransform -s_srs EPSG:3857 -t_srs EPSG:4326
  assertAt(parsePrj(web)([-13_628_372, 6_146_093]), [-122.425748652665, 48.2353177970866]);
});

test('other datums, meridians and projections are refused by name', () => {
  const lambert = `PROJCS["RGF93_Lambert_93",${WGS84},PROJECTION["Lambert_Conformal_Conic"],UNIT["Meter",1.0]]`;
  const bad: readonly [wkt: string, title: string][] = [
    [geogcs('GCS_Pulkovo_1942', 'D_Pulkovo_1942'), 'GCS_Pulkovo_1942'],
    [utm(9, 0, geogcs('GCS_European_1950', 'D_European_1950')), 'UTM'],
    [WGS84.replace('0.0],UNIT', '2.33722917],UNIT'), 'GCS_WGS_1984'],
    [lambert, 'RGF93_Lambert_93'],
    [utm(9, 0).replace('0.9996', '-1'), 'UTM'],
    [utm(9, 0).replace('["Meter",1.0]', '["?",x]'), 'UTM'],
    ['garbage', 'garbage'],
    ['', ''],
  ];
  for (const [wkt, title] of bad) assert.throws(() => parsePrj(wkt), new Refusal('projection', title), title);
});
