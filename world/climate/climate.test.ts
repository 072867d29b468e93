import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fire, flood } from '../setting.ts';
import { makeClimate } from './climate.ts';

const dayOf = (year: number, month: number, date: number): number =>
  Date.UTC(year, month - 1, date) / 86_400_000;

/** Mean over the same month of many years. */
function monthMean(month: number, value: (day: number) => number): number {
  let sum = 0;
  let count = 0;
  for (let year = 1984; year < 2026; year++) {
    for (let day = dayOf(year, month, 1); day < dayOf(year, month + 1, 1); day++) {
      sum += value(day);
      count++;
    }
  }
  return sum / count;
}

const climate = makeClimate(7);

test('a day has the same weather in any order of calls, and another with another seed', () => {
  const day = dayOf(2019, 2, 11);
  const fresh = makeClimate(7);
  assert.equal(fresh.snowWaterMmAt(day, 1234), climate.snowWaterMmAt(day, 1234));
  assert.equal(fresh.soilWaterAt(day - 9000), climate.soilWaterAt(day - 9000));
  assert.deepEqual(fresh.dayAt(day), climate.dayAt(day));
  assert.notDeepEqual(makeClimate(8).dayAt(day), climate.dayAt(day));
});

test('winters are wet and mild, summers dry and warm', () => {
  const rain = (month: number): number => 30 * monthMean(month, (day) => climate.dayAt(day).rainMm);
  assert.ok(rain(1) > 80 && rain(1) < 220, `${rain(1)} mm in January`);
  assert.ok(rain(8) > 8 && rain(8) < 55, `${rain(8)} mm in August`);
  const meanC = (month: number): number =>
    monthMean(month, (day) => (climate.dayAt(day).minC + climate.dayAt(day).maxC) / 2);
  assert.ok(meanC(1) > 2.5 && meanC(1) < 7, `${meanC(1)} °C in January`);
  assert.ok(meanC(7) > 15 && meanC(7) < 20, `${meanC(7)} °C in July`);
});

test('every day is possible weather', () => {
  for (let day = dayOf(1982, 1, 1); day < dayOf(2028, 1, 1); day++) {
    const { minC, maxC, rainMm, cloudiness, windMs, humidity } = climate.dayAt(day);
    assert.ok(minC > -20 && maxC < 42 && maxC > minC + 1);
    assert.ok(rainMm >= 0 && rainMm < 150);
    assert.ok(cloudiness >= 0 && cloudiness <= 1);
    assert.ok(windMs > 0 && windMs < 25);
    assert.ok(humidity > 0.3 && humidity < 1);
    const soilWater = climate.soilWaterAt(day);
    assert.ok(soilWater >= 0.05 && soilWater <= 0.5);
  }
});

test('it rains from clouds, and the weather of a day resembles that of the next', () => {
  const days = Array.from({ length: 4000 }, (_, i) => climate.dayAt(dayOf(2010, 1, 1) + i));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const wet = days.filter(({ rainMm }) => rainMm > 2);
  const dry = days.filter(({ rainMm }) => rainMm === 0);
  assert.ok(mean(wet.map((day) => day.cloudiness)) > mean(dry.map((day) => day.cloudiness)) + 0.25);
  const meanCloudiness = mean(days.map(({ cloudiness }) => cloudiness));
  const clouds = days.map(({ cloudiness }) => cloudiness - meanCloudiness);
  const variance = mean(clouds.map((value) => value * value));
  const follows = mean(clouds.slice(1).map((value, i) => value * clouds[i]!)) / variance;
  assert.ok(follows > 0.5, `lag one correlation ${follows}`);
});

test('soil is wet in February and dry in August', () => {
  assert.ok(monthMean(2, climate.soilWaterAt) > 0.3);
  assert.ok(monthMean(8, climate.soilWaterAt) < 0.18);
});

test('snow covers the mountains in spring, leaves the hills by summer and stays on the summits', () => {
  const snow = (month: number, heightM: number): number =>
    monthMean(month, (day) => climate.snowWaterMmAt(day, heightM));
  assert.ok(snow(3, 1500) > 600);
  assert.ok(snow(8, 1000) < 5);
  assert.ok(snow(9, 3000) > 1000);
  assert.ok(snow(3, 100) < 40);
  assert.ok(snow(1, 1500) > snow(1, 900) && snow(1, 900) > snow(1, 300));
});

test('days far outside the computed years still have weather', () => {
  assert.deepEqual(climate.dayAt(dayOf(1955, 6, 1)), climate.dayAt(dayOf(1983, 6, 1)));
  assert.ok(climate.snowWaterMmAt(dayOf(2050, 3, 1), 1500) > 100);
});

test('with any seed, rain precedes the flood and drought the fire', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { dayAt, soilWaterAt } = makeClimate(seed);
    let rainMm = 0;
    for (let day = flood.fromDay - 2; day <= flood.peakDay; day++) rainMm += dayAt(day).rainMm;
    assert.ok(rainMm > 120, `${rainMm} mm in six days`);
    let droughtMm = 0;
    for (let day = fire.fromDay - 25; day <= fire.burntDay; day++) droughtMm += dayAt(day).rainMm;
    assert.ok(droughtMm < 12, `${droughtMm} mm in four weeks`);
    assert.ok(soilWaterAt(fire.fromDay) < 0.14);
  }
});
