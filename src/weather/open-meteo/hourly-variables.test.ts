import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planHourlyVariables } from './hourly-variables.ts';

const namesOf = (...args: Parameters<typeof planHourlyVariables>) =>
  planHourlyVariables(...args).map(({ name }) => name);

test('only what is needed is asked for, once', () => {
  assert.deepEqual(namesOf('archive', null, ['temperatureMin', 'temperatureMax', 'precipitation']), [
    'temperature_2m',
    'precipitation',
  ]);
  assert.deepEqual(namesOf('archive', null, ['vapourPressure']), ['dew_point_2m']);
  assert.deepEqual(namesOf('archive', null, []), []);
});

test('the temperature of the soil has the name that each model knows', () => {
  const soil = (api: 'archive' | 'forecast', model: string | null) =>
    namesOf(api, model, ['soilTemperature'])[0];
  assert.equal(soil('archive', null), 'soil_temperature_0_to_7cm');
  assert.equal(soil('archive', 'era5_land'), 'soil_temperature_0_to_7cm');
  assert.equal(soil('forecast', null), 'soil_temperature_6cm');
  assert.equal(soil('forecast', 'icon_eu'), 'soil_temperature_6cm');
  assert.equal(soil('forecast', 'ecmwf_ifs025'), 'soil_temperature_0_to_7cm');
  assert.equal(soil('forecast', 'gfs_seamless'), 'soil_temperature_0_to_10cm');
});
