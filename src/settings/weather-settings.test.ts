import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeConfig, parseConfig } from './config.ts';
import { toOpenMeteoServers } from './weather-settings.ts';

test('weather sources are queried in the order of the setting', () => {
  assert.deepEqual(parseConfig({}).weatherProviders, ['grid']);
  const both = parseConfig({ SWATH_WEATHER_PROVIDERS: 'open-meteo, grid' });
  assert.deepEqual(both.weatherProviders, ['open-meteo', 'grid']);
  for (const text of ['grid,', 'grid,grid', 'grid open-meteo', 'Grid', ',']) {
    assert.throws(() => parseConfig({ SWATH_WEATHER_PROVIDERS: text }), /SWATH_WEATHER_PROVIDERS must/, text);
  }
});

test('the server is Open-Meteo, its subscriber server with a key, or the configured one', () => {
  const servers = (env: Record<string, string>) => Object.values(toOpenMeteoServers(parseConfig(env)));
  const [url, archive] = ['SWATH_OPEN_METEO_URL', 'SWATH_OPEN_METEO_ARCHIVE_URL'];
  assert.deepEqual(servers({}), ['https://api.open-meteo.com', 'https://archive-api.open-meteo.com']);
  assert.deepEqual(servers({ SWATH_OPEN_METEO_KEY: 'abc' }), [
    'https://customer-api.open-meteo.com',
    'https://customer-archive-api.open-meteo.com',
  ]);
  assert.deepEqual(servers({ [url]: 'http://10.0.0.5:8080/' }), [
    'http://10.0.0.5:8080',
    'http://10.0.0.5:8080',
  ]);
  assert.deepEqual(servers({ [url]: 'https://customer-api.open-meteo.com' }), [
    'https://customer-api.open-meteo.com',
    'https://customer-archive-api.open-meteo.com',
  ]);
  assert.deepEqual(servers({ [url]: 'http://a', [archive]: 'http://b' }), ['http://a', 'http://b']);
  assert.deepEqual(servers({ [archive]: 'http://b' }), ['https://api.open-meteo.com', 'http://b']);
});

test('models, networks and calls are each parsed strictly', () => {
  const read = (name: string, text: string) => parseConfig({ [`SWATH_OPEN_METEO_${name}`]: text });
  assert.deepEqual(parseConfig({}).openMeteoModels, { forecast: null, archive: null });
  assert.deepEqual(read('MODELS', 'archive=era5 forecast=icon_eu').openMeteoModels, {
    forecast: 'icon_eu',
    archive: 'era5',
  });
  assert.deepEqual(read('MODELS', 'archive=era5').openMeteoModels, { forecast: null, archive: 'era5' });
  assert.deepEqual(read('NETWORKS', '10.0.0.0/8 fd00::/8').openMeteoNetworks, ['10.0.0.0/8', 'fd00::/8']);
  assert.deepEqual(parseConfig({}).openMeteoCalls, { perMinute: 600, perHour: 5_000, perDay: 10_000 });
  assert.deepEqual(read('CALLS', '0/0/7').openMeteoCalls, { perMinute: 0, perHour: 0, perDay: 7 });
  for (const [name, text] of [
    ['MODELS', 'icon_eu'],
    ['MODELS', 'forecast=a forecast=b'],
    ['MODELS', 'forecast=a&apikey=b'],
    ['NETWORKS', '10.0.0.5'],
    ['CALLS', '600'],
    ['CALLS', '600/5000/-1'],
  ] as const) {
    assert.throws(() => read(name, text), new RegExp(`SWATH_OPEN_METEO_${name}`), text);
  }
});

test('the key is never shown', () => {
  const key = 'a-key-of-some-length';
  const env = { SWATH_OPEN_METEO_KEY: key };
  assert.ok(!JSON.stringify(describeConfig(parseConfig(env), env)).includes(key));
  assert.throws(
    () => parseConfig({ SWATH_OPEN_METEO_KEY: `${key} and more` }),
    (error: Error) => error.message.includes('SWATH_OPEN_METEO_KEY') && !error.message.includes(key),
  );
});
