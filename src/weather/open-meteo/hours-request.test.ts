import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AreaGeometry, LonLat } from '../../geo/index.ts';
import { isPointInArea } from '../../geo/index.ts';
import { planHourlyVariables, planLocations } from './hours-request.ts';

const toBox = (west: number, south: number, east: number, north: number): AreaGeometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

test('a point and a small area are one location, rounded to a thousandth of a degree', () => {
  assert.deepEqual(planLocations({ type: 'Point', coordinates: [30.123_45, -0.000_1] }), [[30.123, 0]]);
  assert.deepEqual(planLocations(toBox(30, 50, 30.04, 50.02)), [[30.02, 50.01]]);
});

test('a larger area is sampled on an even grid inside it, with at most 25 locations', () => {
  for (const area of [
    toBox(30, 50, 30.3, 50.05),
    toBox(30, 50, 32, 51),
    toBox(-20, -30, 40, 60),
    toBox(0, 0, 0.01, 20),
    toBox(0, 85, 90, 89),
  ]) {
    const found = planLocations(area);
    assert.ok(found.length > 1 && found.length <= 25, `${found.length} locations`);
    assert.ok(found.every((point) => isPointInArea(point, area)));
    assert.equal(new Set(found.map(String)).size, found.length);
  }
  // 22 by 22 km: two cells of 11 km each way.
  assert.equal(planLocations(toBox(0, 0, 0.19, 0.19)).length, 4);
});

test('locations outside a bent area are omitted, and a thin area uses its nearest corner', () => {
  const [inner, outer]: [LonLat[], LonLat[]] = [[], []];
  for (let i = 0; i <= 32; i++) {
    // The last position is exactly the first.
    const angle = ((i % 32) / 32) * 2 * Math.PI;
    outer.push([2 * Math.cos(angle), 2 * Math.sin(angle)]);
    inner.push([1.999 * Math.cos(-angle), 1.999 * Math.sin(-angle)]);
  }
  const ring: AreaGeometry = { type: 'Polygon', coordinates: [outer, inner] };
  const found = planLocations(ring);
  assert.equal(found.length, 1);
  assert.ok(Math.abs(Math.hypot(...(found[0] as [number, number])) - 2) < 0.01);
  const half: AreaGeometry = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [4, 0],
        [0, 4],
        [0, 0],
      ],
    ],
  };
  const inside = planLocations(half);
  assert.ok(inside.length >= 10 && inside.length < 25 && inside.every(([lon, lat]) => lon + lat <= 4.01));
});

test('an area across the antimeridian has locations on both sides, within 180 degrees', () => {
  const east = toBox(179, 10, 180, 11);
  const west = toBox(-180, 10, -179, 11);
  const area: AreaGeometry = {
    type: 'MultiPolygon',
    coordinates: [east, west].map((one) => one.coordinates as LonLat[][]),
  };
  const lons = planLocations(area).map(([lon]) => lon);
  assert.ok(lons.every((lon) => Math.abs(lon) >= 179 && Math.abs(lon) <= 180));
  assert.ok(lons.some((lon) => lon > 0) && lons.some((lon) => lon < 0));
});

const namesOf = (...args: Parameters<typeof planHourlyVariables>) =>
  planHourlyVariables(...args).map(({ name }) => name);

test('only the needed variables are requested, once each', () => {
  assert.deepEqual(namesOf('archive', null, ['temperatureMin', 'temperatureMax', 'precipitation']), [
    'temperature_2m',
    'precipitation',
  ]);
  assert.deepEqual(namesOf('archive', null, ['vapourPressure']), ['dew_point_2m']);
  assert.deepEqual(namesOf('archive', null, []), []);
});

test('the soil temperature has the name that each model knows', () => {
  const soil = (api: 'archive' | 'forecast', model: string | null) =>
    namesOf(api, model, ['soilTemperature'])[0];
  assert.equal(soil('archive', null), 'soil_temperature_0_to_7cm');
  assert.equal(soil('archive', 'era5_land'), 'soil_temperature_0_to_7cm');
  assert.equal(soil('forecast', null), 'soil_temperature_6cm');
  assert.equal(soil('forecast', 'icon_eu'), 'soil_temperature_6cm');
  assert.equal(soil('forecast', 'ecmwf_ifs025'), 'soil_temperature_0_to_7cm');
  assert.equal(soil('forecast', 'gfs_seamless'), 'soil_temperature_0_to_10cm');
});
