import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldsOf } from './index.ts';
import { sensorByDataset, sensors } from './index.ts';

const fieldsOf = (dataset: string) => {
  const sensor = sensorByDataset(dataset);
  assert.ok(sensor);
  return sensor;
};

test('every hit starts with the same fields, names each once and ends with a geometry', () => {
  for (const { dataset, hit } of sensors) {
    const names = hit.map(({ name }) => name);
    assert.deepEqual(names.slice(0, 4), ['sceneID', 'view_id', 'tms', 'date'], dataset);
    assert.equal(new Set(names).size, names.length, dataset);
    assert.ok(names.includes('dataGeometry'), dataset);
    // clients send this flag whatever they search
    assert.ok(names.includes('onAmazon'), dataset);
    // every record says it
    assert.ok(names.includes('dataCoveragePercentage'), dataset);
    for (const { name, type, filter } of hit) {
      assert.match(name, /^[A-Za-z][A-Za-z0-9_]*$/);
      assert.equal(filter === 'value', type === 'boolean', name);
    }
  }
});

test('everything except the tile template, the view id and geometries can be filtered', () => {
  for (const { dataset, hit, hitFields } of sensors) {
    for (const { name, type } of hit) {
      const expected = type === 'geometry' || name === 'tms' || name === 'view_id' ? undefined : type;
      assert.equal(
        Object.hasOwn(hitFields, name) ? hitFields[name] : undefined,
        expected,
        `${dataset} ${name}`,
      );
    }
    assert.equal(hitFields.date, 'date');
    assert.equal(hitFields.sceneID, 'string');
  }
});

test('the fields of the interface have the types of the interface', () => {
  const { hitFields } = fieldsOf('landsat8');
  const types = {
    sceneID: 'string',
    productID: 'string',
    date: 'date',
    cloudCoverage: 'number',
    sunElevation: 'number',
    dataCoveragePercentage: 'number',
    storedInCollection: 'string',
    path: 'number',
    row: 'number',
    sensor: 'string',
    onAmazon: 'boolean',
    onGoogle: 'boolean',
    dayOrNight: 'string',
  };
  for (const [name, type] of Object.entries(types)) assert.equal(hitFields[name], type, name);
});

test('a Sentinel-2 hit has every field that clients expect', () => {
  const recorded =
    'cloudCoverage dataCoveragePercentage sceneID gridSquare sunElevation dataGeometry tileOrigin originalSceneID date timestamp latitudeBand productName IndexingTime productPath originalTileMeta tileGeometry awsPath zenithAngle azimuthAngle processedL2A tms view_id thumbnail utmZone productMetaLink satelliteName offsetXmlKey archivingTime awsPathL2A';
  for (const dataset of ['sentinel2', 'sentinel2l2a']) {
    const names = fieldsOf(dataset).hit.map(({ name }) => name);
    assert.deepEqual(
      recorded.split(' ').filter((name) => !names.includes(name)),
      [],
    );
  }
});

test('other hits have the fields that clients read', () => {
  const read: Readonly<Record<string, string>> = {
    landsat7: 'satelliteName sceneStartTime sceneStopTime sunAzimuth thumbnail',
    sentinel1: 'missionId absoluteOrbitNumber passDirection mode polarization awsPath',
    modis:
      'satelliteName cloudCoverage BeginningDateTime EndingDateTime horizontalTileNumber verticalTileNumber thumbnail',
    naip: 'satelliteName awsPath',
    cbers4pan5m: 'satelliteName sensor processingLevel sunAzimuth sunElevation downloadUrl',
  };
  for (const [dataset, names] of Object.entries(read)) {
    const { hitFields } = fieldsOf(dataset);
    for (const name of names.split(' ')) assert.ok(Object.hasOwn(hitFields, name), `${dataset} ${name}`);
  }
});

test('a name means one thing: it has one type in all hits, and no second spelling', () => {
  const known = new Map<string, string>();
  for (const { dataset, hit } of sensors) {
    for (const { name, type, isWord = false } of hit) {
      const meaning = `${name} ${type}${isWord ? ' of words' : ''}`;
      const spelling = name.toLowerCase().replaceAll('_', '');
      assert.equal(known.get(spelling) ?? meaning, meaning, dataset);
      known.set(spelling, meaning);
    }
  }
});

test('a misspelt field, or one of another type, does not compile', () => {
  const known: FieldsOf<'landsat8'> = { path: 11, dayOrNight: 'day', onAmazon: true, productID: null };
  assert.deepEqual(
    Object.keys(known).filter((name) => !Object.hasOwn(fieldsOf('landsat8').hitFields, name)),
    [],
  );
  // @ts-expect-error: Landsat's hits have `path`
  const misspelt: FieldsOf<'landsat8'> = { paht: 11 };
  // @ts-expect-error: a path is a number
  const ofAnotherType: FieldsOf<'landsat8'> = { path: '011' };
  // @ts-expect-error: a geometry comes from the record
  const geometry: FieldsOf<'landsat8'> = { dataGeometry: 'x' };
  // @ts-expect-error: NAIP's hits have no path
  const ofAnotherSensor: FieldsOf<'naip'> = { path: 11 };
  assert.equal([misspelt, ofAnotherType, geometry, ofAnotherSensor].length, 4);
});
