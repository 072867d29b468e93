import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensorByAbbreviation, sensorByDataset, sensors } from './index.ts';

test('every sensor is whole: unique names, a composition of its own bands, sane numbers', () => {
  assert.ok(sensors.length > 0);
  assert.equal(new Set(sensors.map((sensor) => sensor.dataset)).size, sensors.length);
  assert.equal(new Set(sensors.map((sensor) => sensor.abbreviation)).size, sensors.length);
  for (const sensor of sensors) {
    const names = sensor.bands.map((band) => band.name);
    assert.equal(new Set(names).size, names.length, `${sensor.abbreviation}: band names`);
    for (const name of sensor.defaultComposition)
      assert.ok(names.includes(name), `${sensor.abbreviation}: ${name}`);
    for (const band of sensor.bands) {
      assert.match(band.name, /^[A-Z][A-Z0-9]*$/);
      assert.ok(band.centreNm > 300 && band.centreNm < 20_000);
      assert.ok(band.resolutionM > 0);
    }
    assert.equal(sensor.hitFields.date, 'date');
    assert.equal(sensorByAbbreviation(sensor.abbreviation), sensor);
    assert.equal(sensorByDataset(sensor.dataset), sensor);
  }
});

test('abbreviations are case-sensitive and inherited names are not sensors', () => {
  for (const name of ['s2', 'constructor', '__proto__', '', 'S2 '])
    assert.equal(sensorByAbbreviation(name), null);
});

const parse = (text: string) => sensorByAbbreviation('S2')?.sceneName.parse(text.split('/'));

test('2.2 Sentinel-2 scene names of the interface are accepted unchanged', () => {
  for (const name of [
    '36/U/XU/2016/5/2/0',
    '55/P/DS/2020/8/15/0',
    '1/C/AA/2024/2/29/10',
    '60/X/ZV/2015/12/31/1',
  ]) {
    assert.deepEqual(parse(name), name.split('/'));
  }
});

test('2.2 wrong Sentinel-2 scene names are refused', () => {
  const wrong = [
    '36/U/XU/2016/5/2', // a segment short
    '36/U/XU/2016/5/2/0/0',
    '61/U/XU/2016/5/2/0',
    '0/U/XU/2016/5/2/0',
    '36/I/XU/2016/5/2/0', // MGRS has no I
    '36/u/XU/2016/5/2/0',
    '36/U/XW/2016/5/2/0', // rows end at V
    '36/U/XU/2016/05/2/0', // no leading zero
    '36/U/XU/2016/13/2/0',
    '36/U/XU/2023/2/29/0',
    '36/U/XU/16/5/2/0',
    '36/U/XU/2016/5/2/00',
    '36/U/XU/2016/5/2/-1',
    '../U/XU/2016/5/2/0',
    '36/U/XU/2016/5/2/0\u0000',
  ];
  for (const name of wrong) assert.equal(parse(name), null, name);
});
