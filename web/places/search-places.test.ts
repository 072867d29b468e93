import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, spots } from '../../world/setting.ts';
import type { City } from '../build/gazetteer.ts';
import { readOtherNames, toOtherNames, toPlacesFile } from '../build/gazetteer.ts';
import { toUtm } from '../shapes/utm.ts';
import { en } from '../texts/en.ts';
import { foldName, makeCountryNames, readPlaces, toSize } from './places-file.ts';
import { DEMO_PLACES, findDemoPlaces, makePart, searchPlaces, toTownZoom } from './search-places.ts';

const city = (id: number, name: string, country: string, population: number, lon = 1, lat = 2): City => ({
  id,
  name,
  country,
  kind: 'PPL',
  population,
  lon,
  lat,
});

const CITIES = [
  city(1, 'Munich', 'DE', 1_260_391, 11.57549, 48.13743),
  city(2, 'Münster', 'DE', 270_184, 7.62571, 51.96236),
  city(3, 'Paris', 'FR', 2_138_551, 2.3488, 48.85341),
  city(4, 'Paris', 'US', 24_782, -95.55551, 33.66094),
  city(5, 'New York City', 'US', 8_175_133, -74.00597, 40.71427),
  city(6, 'York', 'GB', 144_202, -1.08271, 53.95763),
  city(7, 'Kyiv', 'UA', 2_797_553, 30.5238, 50.45466),
  city(8, 'Łódź', 'PL', 768_755, 19.47395, 51.77058),
  city(9, "L'Aquila", 'IT', 32_880, 13.39954, 42.35055),
  city(10, 'Stratford-upon-Avon', 'GB', 27_455, -1.70734, 52.19166),
  city(11, 'Suva', 'FJ', 77_366, 178.44149, -18.14161),
];
const OTHER_NAMES = readOtherNames(
  [
    '1\tMunich\tMunich\tMUC,Monaco di Baviera,München,Мюнхен,mu ni hei,Munich\tx',
    '7\tKyiv\tKyiv\tKiev,Kijów,Kiew,Київ,キエフ\tx',
  ].join('\n'),
);
const search = {
  parts: [makePart(readPlaces(toPlacesFile(CITIES)), toOtherNames(CITIES, OTHER_NAMES))],
  countries: [{ code: 'UA', lon: 31, lat: 49, box: [22, 44, 40, 52] as const, area: 80 }],
  nameCountry: makeCountryNames('de-DE'),
  nameCountryInEnglish: makeCountryNames('en'),
};
const find = (query: string, limit = 5): string[] =>
  searchPlaces(query, limit, search).map(({ name, otherName, country }) =>
    [name, ...(otherName === null ? [] : [`(${otherName})`]), country ?? 'country'].join(' '),
  );

test('names are found without accents, case, hyphens and apostrophes', () => {
  assert.deepEqual(find('munster'), ['Münster DE']);
  assert.deepEqual(find('MÜNST'), ['Münster DE']);
  assert.deepEqual(find('lodz'), ['Łódź PL']);
  assert.deepEqual(find('laquila'), ["L'Aquila IT"]);
  assert.deepEqual(find('stratford upon'), ['Stratford-upon-Avon GB']);
  assert.equal(foldName('Saint-Étienne-du-Grès'), 'saint etienne du gres');
  assert.equal(foldName('a\nb - c'), 'a\nb c');
});

test('names that start with the query come first, then larger places; words inside follow', () => {
  assert.deepEqual(find('paris'), ['Paris FR', 'Paris US']);
  assert.deepEqual(find('york'), ['York GB', 'New York City US']);
  assert.deepEqual(find('mun'), ['Munich DE', 'Münster DE']);
  assert.deepEqual(find('mun', 1), ['Munich DE']);
  // Only at the beginning of a word.
  assert.deepEqual(find('ork'), []);
});

test('alternative names find a place and are shown with it', () => {
  assert.deepEqual(find('münchen'), ['Munich (München) DE']);
  assert.deepEqual(find('мюнхен'), ['Munich (Мюнхен) DE']);
  assert.deepEqual(find('kiev'), ['Kyiv (Kiev) UA']);
  assert.deepEqual(find('київ'), ['Kyiv (Київ) UA']);
  assert.deepEqual(find('baviera'), ['Munich (Monaco di Baviera) DE']);
  // Codes and transliterations in small letters are not names.
  assert.deepEqual(find('muc'), []);
  assert.deepEqual(find('mu ni'), []);
});

test('a country can follow a comma, by its code or its name in the language of the page or in English', () => {
  for (const query of ['paris, us', 'Paris, Vereinigte', 'paris, united states'])
    assert.deepEqual(find(query), ['Paris US'], query);
  assert.deepEqual(find('paris, frankreich'), ['Paris FR']);
  assert.deepEqual(find('paris,'), ['Paris FR', 'Paris US']);
  assert.deepEqual(find('paris, peru'), []);
});

test('countries are found, with the box that the map should show', () => {
  assert.deepEqual(find('ukr'), ['Ukraine country']);
  const [ukraine] = searchPlaces('Ukraine', 1, search);
  assert.deepEqual(ukraine?.box, [22, 44, 40, 52]);
});

test('positions survive the file to half a hundredth of a degree, west of Greenwich and in the south too', () => {
  const places = readPlaces(toPlacesFile(CITIES));
  for (const { name, country, lon, lat, population } of CITIES) {
    const place = places.find((one) => one.name === name && one.country === country);
    assert.ok(place, name);
    assert.ok(Math.abs(place.lon - lon) <= 0.005001 && Math.abs(place.lat - lat) <= 0.005001, name);
    assert.equal(place.size, toSize(population));
  }
});

test('one letter and odd strings find nothing', () => {
  for (const query of ['', ' ', 'm', ',', ',,', '\n', '\n\n', '*', '\\', '(', 'a'.repeat(10_000)])
    assert.deepEqual(find(query), [], JSON.stringify(query));
});

test('a village is shown closer than a city', () => {
  assert.ok(toTownZoom(toSize(1_000)) > toTownZoom(toSize(1_000_000)));
  assert.equal(toTownZoom(toSize(0)), 13.5);
  assert.equal(toTownZoom(toSize(30_000_000)), 9.5);
});

test('the places of the demo world match its map', () => {
  assert.deepEqual(
    DEMO_PLACES.map(({ name }) => (name === 'valley' ? 'farm' : name)).toSorted(),
    Object.keys(spots).toSorted(),
  );
  for (const { name, lon, lat } of DEMO_PLACES) {
    const spot = spots[name === 'valley' ? 'farm' : name];
    const [x, y] = toUtm({ number: 10, isNorth: true }, lon, lat);
    assert.ok(Math.hypot(x - frame.west - spot.x, frame.north - y - spot.y) < 20, name);
  }
});

test('places of the demo world are found by words in their names, and all of them without a query', () => {
  assert.equal(findDemoPlaces(' ', en.places.demo).length, DEMO_PLACES.length);
  assert.deepEqual(
    findDemoPlaces('FIRE', en.places.demo).map(({ name }) => name),
    ['fire'],
  );
  assert.deepEqual(findDemoPlaces('xyz', en.places.demo), []);
});
