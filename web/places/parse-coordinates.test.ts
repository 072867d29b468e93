import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCoordinates } from './parse-coordinates.ts';

const ENGLISH = { north: 'N', south: 'S', east: 'E', west: 'W' };
const GERMAN = { ...ENGLISH, east: 'O' };
const FRENCH = { ...ENGLISH, west: 'O' };
const UKRAINIAN = { north: 'пн', south: 'пд', east: 'сх', west: 'зх' };

const only = (text: string, directions = ENGLISH): readonly [lat: number, lon: number] => {
  const [found, ...others] = parseCoordinates(text, directions);
  assert.ok(found, `${text} is not read`);
  assert.deepEqual(others, [], text);
  return [found.lat, found.lon];
};
const assertNear = (actual: readonly [number, number], expected: readonly [number, number], text: string) => {
  assert.ok(Math.abs(actual[0] - expected[0]) < 2e-5, `${text}: latitude ${actual[0]}`);
  assert.ok(Math.abs(actual[1] - expected[1]) < 2e-5, `${text}: longitude ${actual[1]}`);
};

test('decimal degrees are read in the forms that people copy', () => {
  for (const text of [
    '48.1374, 11.5754',
    '48.1374 11.5754',
    '48.1374;11.5754',
    '48.1374/11.5754',
    '48,1374 11,5754',
    '48,1374; 11,5754',
    '48,1374, 11,5754',
    '48.1374N 11.5754E',
    '48.1374° N, 11.5754° E',
    'N48.1374 E11.5754',
    '11.5754E 48.1374N',
    'E 11.5754, N 48.1374',
    '+48.1374, +11.5754',
    '  48.1374,11.5754 ',
  ])
    assertNear(only(text), [48.1374, 11.5754], text);
  assertNear(only('-33.8568, 151.2153'), [-33.8568, 151.2153], 'Sydney');
  assertNear(only('33.8568S 151.2153E'), [-33.8568, 151.2153], 'Sydney by letters');
  assertNear(only('−23.55 −46.63'), [-23.55, -46.63], 'signs of typesetting');
  // The first can only be a longitude.
  assertNear(only('151.2153, -33.8568'), [-33.8568, 151.2153], 'longitude first');
  assertNear(only('48, 11'), [48, 11], 'whole degrees');
});

test('degrees, minutes and seconds are read', () => {
  const munich = [48 + 8 / 60 + 14.6 / 3600, 11 + 34 / 60 + 31.4 / 3600] as const;
  for (const text of [
    `48°08'14.6"N 11°34'31.4"E`,
    `48° 8′ 14.6″ N, 11° 34′ 31.4″ E`,
    `N48°08'14.6" E011°34'31.4"`,
    '48 08 14.6 N 11 34 31.4 E',
    '48 08 14.6, 11 34 31.4',
    `48°08'14.6''N, 11°34'31.4''E`,
    `48°08'14,6"N 11°34'31,4"E`,
  ])
    assertNear(only(text), munich, text);
  assertNear(only(`48°08.5'N 011°34.25'W`), [48 + 8.5 / 60, -(11 + 34.25 / 60)], 'minutes with decimals');
  assertNear(only('48 30 11 15'), [48.5, 11.25], 'four numbers');
});

test('direction letters follow the language of the page, because O is east in German and west in French', () => {
  assertNear(only('48.1N 11.5O', GERMAN), [48.1, 11.5], 'German');
  assertNear(only('48.1N 11.5O', FRENCH), [48.1, -11.5], 'French');
  assertNear(only('50.45 пн 30.52 сх', UKRAINIAN), [50.45, 30.52], 'Ukrainian');
  assertNear(only('48.1N 11.5E', UKRAINIAN), [48.1, 11.5], 'N and E work everywhere');
});

test('UTM is read with a band, a hemisphere or an EPSG code', () => {
  for (const text of [
    '32U 691595 5334779',
    '32 U 691595 5334779',
    '32N 691595 5334779',
    '32 691595 5334779',
    'UTM 32U 691595mE 5334779mN',
    'UTM zone 32 691595, 5334779',
    '32U E691595 N5334779',
    'EPSG:32632 691595 5334779',
  ])
    assertNear(only(text), [48.1374, 11.5754], text);
  assertNear(only('56H 334900 6252288'), [-33.8568, 151.2153], 'a band of the south');
  assertNear(only('EPSG:32756 334900 6252288'), [-33.8568, 151.2153], 'a code of the south');
});

test('a zone with S may mean the south or the band S: both are returned where both are possible', () => {
  const found = parseCoordinates('18S 323394 4307396', ENGLISH);
  assert.deepEqual(
    found.map(({ lat }) => Math.round(lat)),
    [-51, 39],
  );
  assert.equal(parseCoordinates('18S 323394 8307396', ENGLISH).length, 1);
});

/** Made with mgrs 2.2.0 of proj4js, which answers the middle of the square. */
const MGRS_VECTORS: readonly (readonly [text: string, lon: number, lat: number])[] = [
  ['32UPU9159534779', 11.575399, 48.137397],
  ['18SUJ2339407395', -77.036498, 38.897699],
  ['56HLH3490052288', 151.215299, -33.856802],
  ['31NAA7716411067', 0.100002, 0.100002],
  ['30MZE2283588932', -0.100002, -0.100002],
  ['32VLM0601878828', 5.499996, 60.199997],
  ['33XXG1591463320', 20.0, 78.000003],
  ['1CDM4102572753', -179.899992, -79.499997],
  ['60XWT3663673197', 179.900005, 83.500002],
  ['36UUA2422792118', 30.523798, 50.454704],
  ['10UEU5191349881', -122.299997, 48.299999],
  ['31NEA0000000000', 3.000004, 0.000005],
  ['23KLP3362494647', -46.629997, -23.55],
];

test('MGRS squares give their centre', () => {
  for (const [text, lon, lat] of MGRS_VECTORS) {
    const [found] = parseCoordinates(text, ENGLISH);
    assert.equal(found?.form, 'mgrs', text);
    assertNear([found.lat, found.lon], [lat, lon], text);
  }
  assertNear(only('32u pu 91604 34754'), only('32UPU9160434754'), 'spaces and small letters');
  assertNear(only('32UPU'), only('32U PU 5000050000'), 'a square of 100 km');
});

test('other strings are not coordinates', () => {
  for (const text of [
    ...['', 'Munich', 'N', '48', '48.1374', '91, 181', '100, 100', '48.1, 181', '1 2 3 4 5', '1 2 3'],
    ...["48°61'N 11°0'E", '48°08\'60"N 11°34\'0"E', "48.5°30'N 11°0'E", '48N 11N', '48E 11W', '-48N 11E'],
    ...['N48N 11E', '61U 691595 5334779', '0U 691595 5334779', '32U 50000 5334779', '32U 691595 99999999'],
    // A band that this northing does not lie in, letters that the system leaves out, and a column of another zone.
    ...['32T 691595 5634754', '32UIU9160434754', '32IPU9160434754', '32UAU9160434754', '32UPU916043475'],
    ...['32AUU9160434754', '12 Main Street 5', '10.0.0.1', '2026-11-18', '1e5, 2', 'NaN, NaN', '0x10, 0x10'],
  ])
    assert.deepEqual(parseCoordinates(text, ENGLISH), [], text);
});

test('a long string is answered at once', () => {
  assert.deepEqual(parseCoordinates(`${'1 '.repeat(5_000)}x`, ENGLISH), []);
  assert.deepEqual(parseCoordinates(`48${'°'.repeat(20_000)} 11`, ENGLISH), []);
  assert.deepEqual(parseCoordinates(`${' '.repeat(50_000)}48 x`, ENGLISH), []);
});
