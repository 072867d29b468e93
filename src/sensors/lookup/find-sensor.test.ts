import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatasetId } from '../all-sensors.ts';
import { sensors } from '../all-sensors.ts';
import { sensorByAbbreviation } from '../index.ts';
import { aliasNames, describeAlias } from './aliases.ts';
import {
  chooseComposition,
  findBand,
  findIncomparable,
  listCompositions,
  sensorByDataset,
} from './find-sensor.ts';

const choose = (abbreviation: string, bands: readonly string[]) =>
  chooseComposition(sensorByAbbreviation(abbreviation)!, (name) => bands.includes(name));

test('the default composition is the first of which the scene has all bands, otherwise a single band', () => {
  assert.deepEqual(choose('L8', ['B2', 'B3', 'B4', 'B10']), ['B4', 'B3', 'B2']);
  assert.deepEqual(choose('L8', ['B10', 'B11', 'BQA']), ['B10']);
  assert.deepEqual(choose('L8', ['BQA', 'B5', 'B4']), ['B4']);
  assert.deepEqual(choose('S1', ['HH', 'HV']), ['HH']);
  assert.equal(choose('L8', ['BQA']), null);
});

const listed = (dataset: string): string[] => {
  const sensor = sensorByDataset(dataset);
  assert.ok(sensor !== null, dataset);
  return listCompositions(sensor).map(({ name, bands }) => `${name}: ${bands.join()}`);
};

test('compositions are found by role, after the defaults of the sensor', () => {
  assert.deepEqual(listed('sentinel2'), [
    'natural: B04,B03,B02',
    'false-colour: B08,B04,B03',
    'swir: B12,B8A,B04',
    'agriculture: B11,B8A,B02',
  ]);
  assert.deepEqual(listed('landsat8'), [
    'natural: B4,B3,B2',
    'null: B10',
    'false-colour: B5,B4,B3',
    'swir: B7,B5,B4',
    'agriculture: B6,B5,B2',
  ]);
  assert.deepEqual(listed('landsat5mss'), ['false-colour: B4,B2,B1']);
  assert.deepEqual(listed('sentinel1'), ['null: VV', 'null: HH', 'null: VH', 'null: HV']);
});

test('every sensor has a composition, of bands of its own, each once', () => {
  for (const sensor of sensors) {
    const all = listCompositions(sensor);
    assert.ok(all.length > 0, sensor.dataset);
    const names = sensor.bands.map(({ name }) => name);
    for (const { bands } of all)
      assert.ok(
        bands.every((band) => names.includes(band)),
        sensor.dataset,
      );
    assert.equal(new Set(all.map(({ bands }) => bands.join())).size, all.length, sensor.dataset);
  }
});

test('every alias has a title and a one-line description, and unknown names have none', () => {
  for (const name of aliasNames) {
    const words = describeAlias(name);
    assert.ok(words !== null && words.title !== '' && words.description.length <= 90, name);
  }
  assert.equal(describeAlias('NOTHING'), null);
});

/** Why stored numbers of red and near infrared cannot stand for what they measure. */
function compare(dataset: string, level = ''): ReturnType<typeof findIncomparable> {
  const sensor = sensorByDataset(dataset as DatasetId);
  assert.ok(sensor !== null, dataset);
  const names = ['RED', 'NIR'].map((role) => findBand(sensor, role)!.name);
  return findIncomparable(sensor, names, level);
}

test('bands of TM, ETM+ and CBERS-4 have a gain each; those of Level-2 and of newer sensors share one', () => {
  const [bands, why] = [['B3', 'B4'], 'gains'];
  assert.deepEqual(compare('landsat5tm'), { bands, why });
  assert.deepEqual(compare('landsat7'), { bands, why });
  assert.deepEqual(compare('cbers4mux'), { bands: ['BAND7', 'BAND8'], why });
  for (const dataset of ['sentinel2', 'sentinel2l2a', 'modis', 'naip', 'planetscope'])
    assert.equal(compare(dataset), null, dataset);
});

test('stored numbers of Landsat 8 and 9, and of all Level-2, have an offset that a ratio does not lose', () => {
  const offset = { bands: ['B4', 'B5'], why: 'offset' };
  for (const level of ['', 'L2SP']) assert.deepEqual(compare('landsat8', level), offset);
  assert.deepEqual(compare('landsat9', 'L2SR'), offset);
  assert.deepEqual(compare('landsat5tm', 'L2SP'), { bands: ['B3', 'B4'], why: 'offset' });
  // One band is shown as it is stored.
  const sensor = sensorByDataset('landsat8' as DatasetId)!;
  assert.equal(findIncomparable(sensor, ['B4', 'B4'], 'L2SP'), null);
});

test('bits do not have a gain', () => {
  const sensor = sensorByDataset('landsat8' as DatasetId)!;
  const quality = sensor.bands.filter(({ kind }) => kind === 'quality').map(({ name }) => name);
  assert.ok(quality.length > 0);
  assert.equal(findIncomparable(sensor, ['B4', ...quality], ''), null);
});
