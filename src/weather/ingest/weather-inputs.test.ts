import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GridVariable } from '../../cubes/index.ts';
import { findInputs } from './weather-inputs.ts';

const grid = { west: 0, north: 50, lonStep: 1, latStep: 1, width: 2, height: 2 };
const variable = (name: string, more: Partial<GridVariable> = {}): GridVariable => ({
  name,
  standardName: '',
  longName: '',
  units: '',
  grid,
  timesMs: [0],
  readField: async () => new Float32Array(4),
  ...more,
});
const find = (...variables: readonly GridVariable[]) =>
  Object.fromEntries(
    [...findInputs(variables)].map(([input, found]) => [input, found.map(({ name }) => name).join()]),
  );

test('variables of ERA5, AgERA5, GFS and E-OBS are recognised', () => {
  const era5 = ['t2m', 'd2m', 'u10', 'v10', 'tp', 'sd', 'rsn', 'stl1', 'tcc', 'ssrd', 'z', 'lsm'];
  assert.deepEqual(find(...era5.map((name) => variable(name))), {
    temperature: 't2m',
    dewPoint: 'd2m',
    windEast: 'u10',
    windNorth: 'v10',
    precipitation: 'tp',
    snowWater: 'sd',
    snowDensity: 'rsn',
    soilTemperature: 'stl1',
    cloudCover: 'tcc',
    radiation: 'ssrd',
    elevation: 'z',
  });
  const agera5 = ['Temperature_Air_2m_Min_24h', 'Temperature_Air_2m_Max_24h', 'Vapour_Pressure_Mean'];
  assert.deepEqual(
    find(...[...agera5, 'Wind_Speed_10m_Mean', 'Snow_Thickness_Mean'].map((one) => variable(one))),
    {
      temperatureMin: 'Temperature_Air_2m_Min_24h',
      temperatureMax: 'Temperature_Air_2m_Max_24h',
      vapourPressure: 'Vapour_Pressure_Mean',
      windSpeed: 'Wind_Speed_10m_Mean',
      snowDepth: 'Snow_Thickness_Mean',
    },
  );
  assert.deepEqual(find(variable('2t'), variable('2r'), variable('sde'), variable('tp'), variable('tp')), {
    temperature: '2t',
    relativeHumidity: '2r',
    snowDepth: 'sde',
    precipitation: 'tp,tp',
  });
  assert.deepEqual(find(variable('tn'), variable('tx'), variable('rr')), {
    temperatureMin: 'tn',
    temperatureMax: 'tx',
    precipitation: 'rr',
  });
});

test('CF names are recognised, and the method distinguishes a mean from an extreme', () => {
  const air = { standardName: 'air_temperature' };
  assert.deepEqual(
    find(
      variable('a', { ...air, method: 'min' }),
      variable('b', { ...air, method: 'max' }),
      variable('c', { ...air, method: 'mean' }),
      variable('u100', { standardName: 'eastward_wind' }),
      variable('p', { standardName: 'precipitation_flux' }),
    ),
    { temperature: 'c', temperatureMin: 'a', temperatureMax: 'b', precipitation: 'p' },
  );
  assert.deepEqual(find(variable('sst'), variable('x')), {});
});
