import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BandPalette } from './definition/quality.ts';
import type { Band, Sensor } from './index.ts';
import {
  findBand,
  parseViewId,
  sensorByAbbreviation,
  sensorByDataset,
  sensors,
  sensorsByDataset,
} from './index.ts';

/** Datasets by abbreviation, as clients know them. */
const DATASETS = {
  CBERS4MUX: 'cbers4mux',
  CBERS4AWFI: 'cbers4awfi',
  CBERS4PAN10M: 'cbers4pan10m',
  CBERS4PAN5M: 'cbers4pan5m',
  L4MSS: 'landsat4mss',
  L4TM: 'landsat4tm',
  L5MSS: 'landsat5mss',
  L5TM: 'landsat5tm',
  L7: 'landsat7',
  L8: 'landsat8',
  L9: 'landsat9',
  MODIS: 'modis',
  NAIP: 'naip',
  S1: 'sentinel1',
  S2: 'sentinel2',
  S2L2A: 'sentinel2l2a',
};

const namesOf = (sensor: Sensor) => sensor.bands.map(({ name }) => name);
const unique = (list: readonly string[], what: string) =>
  assert.equal(new Set(list).size, list.length, `${what} are not unique: ${list.join(', ')}`);

test('every sensor that clients know exists', () => {
  for (const [abbreviation, dataset] of Object.entries(DATASETS)) {
    assert.equal(sensorByAbbreviation(abbreviation)?.dataset, dataset);
  }
});

test('abbreviations and dataset ids lead to one sensor, and groups to all of theirs', () => {
  unique(
    sensors.map(({ dataset }) => dataset),
    'datasets',
  );
  unique(
    sensors.map(({ abbreviation }) => abbreviation),
    'abbreviations',
  );
  for (const sensor of sensors) {
    assert.equal(sensorByAbbreviation(sensor.abbreviation), sensor);
    assert.equal(sensorByDataset(sensor.dataset), sensor);
    assert.deepEqual(sensorsByDataset(sensor.dataset), [sensor]);
    for (const group of sensor.datasetGroups) {
      assert.equal(sensorByDataset(group), null, `${group} is also a dataset`);
      assert.ok(sensorsByDataset(group).length > 1, `${group} has one member only`);
    }
    for (const shared of sensor.sharedAbbreviations) assert.equal(sensorByAbbreviation(shared), null);
  }
  assert.deepEqual(
    sensorsByDataset('cbers4').map(({ abbreviation }) => abbreviation),
    ['CBERS4MUX', 'CBERS4AWFI', 'CBERS4PAN10M', 'CBERS4PAN5M'],
  );
  assert.deepEqual(sensorsByDataset('marsorbiter'), []);
});

test('abbreviations are case-sensitive and inherited names are not sensors', () => {
  for (const name of ['s2', 'constructor', '__proto__', '', 'S2 ', 'CBERS4']) {
    assert.equal(sensorByAbbreviation(name), null);
    assert.deepEqual(sensorsByDataset(name), []);
  }
});

test('every band is complete: names, spellings, numbers and a rule of its kind', () => {
  for (const sensor of sensors) {
    const title = sensor.abbreviation;
    unique(
      sensor.bands.flatMap(({ name, spellings }) => [name, ...spellings]),
      `${title}: names of bands`,
    );
    unique(
      sensor.bands.flatMap(({ role }) => role ?? []),
      `${title}: roles`,
    );
    for (const band of sensor.bands) checkBand(band, `${title} ${band.name}`);
  }
});

/** Kinds of calibration that make sense for a kind of band. */
const RULES: Readonly<Record<Band['kind'], readonly string[]>> = {
  reflective: ['none', 'scaled', 'quantified', 'reflectance', 'radiance'],
  thermal: ['brightness-temperature'],
  radar: ['sigma-nought'],
  quality: ['none'],
};

function checkBand(band: Band, what: string): void {
  assert.match(band.name, /^[A-Z][A-Za-z0-9_]*$/, what);
  assert.ok(band.resolutionM > 0 && band.resolutionM <= 500, what);
  assert.ok(RULES[band.kind].includes(band.calibration.kind), `${what}: ${band.calibration.kind}`);
  const hasSpectrum = band.kind === 'reflective' || band.kind === 'thermal';
  assert.equal(band.centreNm !== null && band.widthNm !== null, hasSpectrum, `${what}: spectrum`);
  if (band.centreNm !== null && band.widthNm !== null) {
    const [min, max] = band.kind === 'thermal' ? [8_000, 13_000] : [400, 2_400];
    assert.ok(band.centreNm - band.widthNm / 2 >= min && band.centreNm + band.widthNm / 2 <= max, what);
  }
  assert.equal(
    band.role?.startsWith('THERMAL') === true,
    band.kind === 'thermal' && band.role !== null,
    what,
  );
  const { calibration } = band;
  if (calibration.kind === 'radiance') {
    assert.ok(
      calibration.radiance !== null || calibration.metadata !== null,
      `${what}: nothing can calibrate it`,
    );
  }
  if (calibration.kind === 'reflectance' && 'radiance' in calibration.fallback) {
    assert.ok(calibration.fallback.esun > 50 && calibration.fallback.esun < 2_100, `${what}: ESUN`);
    // the last entry applies to all other scenes
    assert.equal(calibration.fallback.radiance.at(-1)?.when, undefined, what);
    for (const { radianceMin, radianceMax } of calibration.fallback.radiance)
      assert.ok(radianceMin < radianceMax, what);
  }
  if (calibration.kind === 'quantified') {
    const baselines = calibration.offsets.map(({ fromBaseline }) => fromBaseline);
    assert.deepEqual(baselines, baselines.toSorted(), what);
  }
}

test('the wavelength of each band fits its role', () => {
  const ranges: Readonly<Record<string, readonly [number, number]>> = {
    COASTAL: [430, 455],
    BLUE: [455, 500],
    GREEN: [540, 575],
    RED: [635, 680],
    REDEDGE1: [700, 710],
    REDEDGE2: [735, 745],
    REDEDGE3: [775, 790],
    NIR: [810, 960],
    NIR2: [860, 870],
    WATERVAPOUR: [940, 950],
    CIRRUS: [1_370, 1_380],
    SWIR1: [1_600, 1_660],
    SWIR2: [2_100, 2_250],
    PAN: [580, 720],
    THERMAL1: [10_800, 11_500],
    THERMAL2: [12_000, 12_100],
  };
  for (const { abbreviation, bands } of sensors) {
    for (const { name, role, centreNm } of bands) {
      if (role === null || centreNm === null) continue;
      const [min = 0, max = 0] = ranges[role] ?? [];
      assert.ok(centreNm >= min && centreNm <= max, `${abbreviation} ${name}: ${role} at ${centreNm} nm`);
    }
  }
});

test('compositions, palettes, quality bits, clouds and sharpening name bands of the sensor', () => {
  for (const sensor of sensors) {
    const title = sensor.abbreviation;
    const names = namesOf(sensor);
    assert.ok(sensor.defaultCompositions.length > 0, title);
    for (const name of sensor.defaultCompositions.flat())
      assert.ok(names.includes(name), `${title}: ${name}`);
    const qualityBands = sensor.bands.filter(({ kind }) => kind === 'quality').map(({ name }) => name);
    for (const [band, palette] of Object.entries(sensor.palettes)) {
      assert.ok(qualityBands.includes(band), `${title}: palette of ${band}`);
      checkPalette(palette, `${title} ${band}`);
    }
    if (sensor.quality !== null) assert.ok(qualityBands.includes(sensor.quality.band), title);
    if (sensor.cloud.kind === 'bits') assert.equal(sensor.cloud.band, sensor.quality?.band);
    if (sensor.cloud.kind === 'classes') assert.ok(qualityBands.includes(sensor.cloud.band), title);
    const fields = Object.keys(sensor.hitFields);
    for (const field of sensor.earlierScene?.groundFields ?? [])
      assert.ok(fields.includes(field), `${title}: ${field}`);
    if (sensor.pansharpening === null) continue;
    const { panBand, bands, compositeWeights } = sensor.pansharpening;
    const pan = sensor.bands.find(({ name }) => name === panBand);
    assert.equal(pan?.role, 'PAN', title);
    for (const name of bands) {
      const band = sensor.bands.find((other) => other.name === name);
      assert.ok(band !== undefined && band.resolutionM === 2 * (pan?.resolutionM ?? 0), `${title} ${name}`);
    }
    if (compositeWeights !== null)
      assert.ok(Math.abs(compositeWeights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-12);
  }
});

function checkPalette({ kind, entries }: BandPalette, what: string): void {
  unique(
    entries.map((entry) => String('value' in entry ? entry.value : entry.bits)),
    what,
  );
  assert.ok(entries.length > 0 && ['bits', 'values'].includes(kind));
  for (const { color, label } of entries) {
    assert.match(color, /^#[0-9a-f]{6}$/, what);
    assert.ok(label.length > 0);
  }
}

test('pansharpening is for Landsat 7, 8 and 9, with fixed weights where there are any', () => {
  const wanted = new Map([
    ['L9', ['B8', [0.52, 0.25, 0.23]]],
    ['L8', ['B8', [0.52, 0.25, 0.23]]],
    ['L7', ['B8', null]],
  ]);
  for (const abbreviation of Object.keys(DATASETS)) {
    const { pansharpening } = sensorByAbbreviation(abbreviation) as Sensor;
    const found =
      pansharpening === null ? undefined : [pansharpening.panBand, pansharpening.compositeWeights];
    assert.deepEqual(found, wanted.get(abbreviation), abbreviation);
  }
});

test('of the sensors that clients know only Sentinel-2 counts just opaque clouds by default', () => {
  for (const abbreviation of Object.keys(DATASETS)) {
    const { cloud } = sensorByAbbreviation(abbreviation) as Sensor;
    const isOpaqueOnly = 'onlyOpaqueByDefault' in cloud && cloud.onlyOpaqueByDefault;
    assert.equal(isOpaqueOnly, abbreviation.startsWith('S2'), abbreviation);
  }
  const rules = Object.fromEntries(sensors.map(({ abbreviation, cloud }) => [abbreviation, cloud.kind]));
  assert.deepEqual(
    [rules.L8, rules.L7, rules.L5TM, rules.L4MSS, rules.MODIS, rules.CBERS4MUX, rules.NAIP, rules.S1],
    ['bits', 'scene-percent', 'scene-percent', 'scene-percent', 'masked', 'none', 'none', 'none'],
  );
});

test('bands are found by name, by spelling and by generic name in any case', () => {
  const found = (view: string, spelling: string) => {
    const sensor = sensorByAbbreviation(view);
    assert.ok(sensor);
    return findBand(sensor, spelling)?.name ?? null;
  };
  assert.equal(found('S2', 'B4'), 'B04');
  assert.equal(found('S2', 'B8'), 'B08');
  assert.equal(found('S2', 'B8A'), 'B8A');
  assert.equal(found('S2', 'nir'), 'B08');
  assert.equal(found('L8', 'B04'), 'B4');
  assert.equal(found('L8', 'Swir1'), 'B6');
  assert.equal(found('L7', 'B6_VCID_1'), 'B6');
  assert.equal(found('CBERS4MUX', 'B7'), 'BAND7');
  assert.equal(found('CBERS4AWFI', 'NIR'), 'BAND16');
  assert.equal(found('NAIP', 'B'), 'B');
  assert.equal(found('MODIS', 'B2'), 'B02');
  for (const wrong of ['b04', ' B04', 'B13', '', 'constructor', 'NODATA', 'THERMAL1'])
    assert.equal(found('S2', wrong), null, wrong);
  for (const sensor of sensors) {
    for (const band of sensor.bands) {
      for (const spelling of [band.name, ...band.spellings]) assert.equal(findBand(sensor, spelling), band);
      if (band.role !== null) assert.equal(findBand(sensor, band.role.toLowerCase()), band);
    }
  }
});

test('the example of every grammar follows it', () => {
  for (const { abbreviation, sceneName } of sensors) {
    const text = `${abbreviation}/${sceneName.example}`;
    assert.equal(parseViewId(text).viewId, text);
    assert.equal(sceneName.example.split('/').length, sceneName.segments);
  }
});
