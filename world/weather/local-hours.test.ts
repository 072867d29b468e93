import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClimate } from '../climate/climate.ts';
import { saturationHpa } from '../climate/weather.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { sunAt } from '../light/sun.ts';
import { dayStartMs, fire, flood, HOUR_MS, spots, toDay } from '../setting.ts';
import type { LocalDays } from './local-days.ts';
import { localDays } from './local-days.ts';
import type { LocalHours } from './local-hours.ts';
import { localHours } from './local-hours.ts';
import { sunOn } from './sunshine.ts';

const climate = makeClimate(WORLD_SEED);
const [firstDay, count] = [toDay('2024-10-01'), 730];
const locations = [
  { ...spots.farm, heightM: 12 },
  { ...spots.forest, heightM: 640 },
  { ...spots.summit, heightM: 2250 },
];
const read = (location: (typeof locations)[number]) => ({
  days: localDays(climate, { location, firstDay, count }),
  hours: localHours(climate, { location, startMs: dayStartMs(firstDay), count: 24 * count }),
});
const all = locations.map(read);
const [farm, , summit] = all as [(typeof all)[number], (typeof all)[number], (typeof all)[number]];

/** Hours of a day, by its index. */
const hoursOf = (hours: LocalHours, name: keyof LocalHours, i: number): Float64Array =>
  hours[name].subarray(24 * i, 24 * i + 24);
const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
const isNear = (a: number, b: number, within = 1e-9): boolean =>
  Math.abs(a - b) <= within * (1 + Math.abs(b));

test('the coldest and the warmest hour of a day match the day', () => {
  for (const { days, hours } of all) {
    for (let i = 0; i < count; i++) {
      const air = hoursOf(hours, 'temperatureC', i);
      assert.ok(isNear(Math.min(...air), days.minC[i]!), `the coldest of day ${i}`);
      assert.ok(isNear(Math.max(...air), days.maxC[i]!), `the warmest of day ${i}`);
    }
  }
});

test('it is coldest around sunrise and warmest in the afternoon, by the sun', () => {
  const air = farm.hours.temperatureC;
  for (let i = 0; i < count; i++) {
    const day = air.subarray(24 * i, 24 * i + 24);
    const coldestMs = dayStartMs(firstDay + i) + sunOn(firstDay + i).riseHour * HOUR_MS;
    assert.ok(Math.abs(sunAt(coldestMs).elevationDeg) < 4, `sunrise of day ${i}`);
    assert.ok(sunAt(dayStartMs(firstDay + i) + day.indexOf(Math.max(...day)) * HOUR_MS).azimuthDeg > 180);
  }
});

test('rain, sunshine, wind, clouds and vapour of the hours add up to those of the day', () => {
  for (const { days, hours } of all) {
    for (let i = 0; i < count; i++) {
      assert.ok(isNear(sum(hoursOf(hours, 'rainMm', i)), days.rainMm[i]!), `rain of day ${i}`);
      assert.ok(isNear(sum(hoursOf(hours, 'radiationMj', i)), days.radiationMj[i]!), `sun of day ${i}`);
      assert.ok(isNear(sum(hoursOf(hours, 'windMs', i)) / 24, days.windMs[i]!), `wind of day ${i}`);
      assert.ok(isNear(sum(hoursOf(hours, 'cloudiness', i)) / 24, days.cloudiness[i]!), `clouds of day ${i}`);
      // Vapour changes from noon to noon, and some of it falls as dew in cold nights.
      const vapour = sum(hoursOf(hours, 'vapourPressureHpa', i)) / 24;
      assert.ok(isNear(vapour, days.vapourPressureHpa[i]!, 0.15), `vapour of day ${i}: ${vapour}`);
      assert.equal(hoursOf(hours, 'snowDepthCm', i)[12], days.snowDepthCm[i], `snow of day ${i}`);
    }
  }
});

test('the sunshine of a day is that of its hours, and only while the sun is up', () => {
  for (let i = 0; i < 365; i += 5) {
    const startMs = dayStartMs(firstDay + i);
    let sines = 0;
    for (let minute = 0; minute < 1440; minute++) {
      const { elevationDeg } = sunAt(startMs + minute * 60_000);
      sines += Math.max(0, Math.sin((elevationDeg * Math.PI) / 180));
    }
    // 0.0820 MJ/m² a minute, 3.3 % more or less by the distance of the sun
    const { extraterrestrialMj } = sunOn(firstDay + i);
    assert.ok(isNear(extraterrestrialMj, 0.082 * sines, 0.045), `${extraterrestrialMj} on day ${i}`);
    const shines = hoursOf(farm.hours, 'radiationMj', i);
    for (let hour = 0; hour < 24; hour++) {
      const isUp = sunAt(startMs + (hour + 0.5) * HOUR_MS).elevationDeg > 0;
      assert.equal(shines[hour]! > 0, isUp, `hour ${hour} of day ${i}`);
    }
  }
});

test('every hour is possible weather', () => {
  const limits: Readonly<Record<keyof LocalHours, readonly [low: number, high: number]>> = {
    temperatureC: [-35, 42],
    dewPointC: [-40, 28],
    vapourPressureHpa: [0.1, 40],
    humidity: [0.05, 1],
    windMs: [0.3, 60],
    rainMm: [0, 60],
    // nowhere has deeper snow been measured than 1,182 cm, on Mount Ibuki in 1927
    snowDepthCm: [0, 1182],
    soilC: [-20, 40],
    cloudiness: [0, 1],
    radiationMj: [0, 4.2],
  };
  for (const { hours } of all) {
    for (const [name, [low, high]] of Object.entries(limits)) {
      const values = hours[name as keyof LocalHours];
      assert.ok(
        values.every((value) => value >= low && value <= high),
        `${name}: ${Math.min(...values)} to ${Math.max(...values)}`,
      );
    }
    for (const [i, dew] of hours.dewPointC.entries()) {
      assert.ok(dew <= hours.temperatureC[i]! + 1e-6);
      assert.ok(isNear(saturationHpa(dew), hours.vapourPressureHpa[i]!, 1e-6));
    }
  }
});

test('it rains from clouds, small amounts do not fall all day long, and nights are humid', () => {
  const { days, hours } = farm;
  let [wet, dry, wetHours, dryHours] = [0, 0, 0, 0];
  for (const [i, cover] of hours.cloudiness.entries()) {
    if (hours.rainMm[i]! > 0) [wet, wetHours] = [wet + cover, wetHours + 1];
    else [dry, dryHours] = [dry + cover, dryHours + 1];
  }
  assert.ok(wet / wetHours > dry / dryHours + 0.2, `${wet / wetHours} and ${dry / dryHours}`);
  for (let i = 0; i < count; i++) {
    const raining = hoursOf(hours, 'rainMm', i).filter((mm) => mm > 0).length;
    if (days.rainMm[i]! > 0) assert.ok(raining >= 1);
    if (days.rainMm[i]! < 2) assert.ok(raining <= 5, `${raining} hours of ${days.rainMm[i]} mm`);
  }
  const meanAt = (hour: number): number => {
    const values = hours.humidity.filter((_, i) => i % 24 === hour);
    return sum(values) / values.length;
  };
  assert.ok(meanAt(5) > meanAt(15) + 0.15);
});

test('soil temperature varies less than air and later, and stays at 0 °C under deep snow', () => {
  const swingOf = (values: Float64Array): number => Math.max(...values) - Math.min(...values);
  const july = toDay('2025-07-10') - firstDay;
  const [air, soil] = [hoursOf(farm.hours, 'temperatureC', july), hoursOf(farm.hours, 'soilC', july)];
  assert.ok(swingOf(soil) < 0.6 * swingOf(air) && swingOf(soil) > 0.5);
  assert.ok(soil.indexOf(Math.max(...soil)) > air.indexOf(Math.max(...air)));
  const february = toDay('2026-02-10') - firstDay;
  assert.ok(summit.days.snowDepthCm[february]! > 100);
  assert.ok(hoursOf(summit.hours, 'soilC', february).every((celsius) => Math.abs(celsius) < 2));
});

test('rain precedes the flood and drought the fire', () => {
  const rain = (days: LocalDays, from: number, until: number): number =>
    sum(days.rainMm.subarray(from - firstDay, until - firstDay + 1));
  assert.ok(rain(farm.days, flood.fromDay - 2, flood.peakDay) > 100);
  assert.ok(rain(farm.days, fire.fromDay - 25, fire.burntDay) < 15);
});

test('any window of hours, in any order, has the same hours', () => {
  const location = locations[0]!;
  const fresh = makeClimate(WORLD_SEED);
  for (const [offset, length] of [
    [5003, 7],
    [11, 61],
    [480, 24],
  ] as const) {
    const startMs = dayStartMs(firstDay) + offset * HOUR_MS;
    const hours = localHours(fresh, { location, startMs, count: length });
    for (const name of Object.keys(hours) as (keyof LocalHours)[]) {
      assert.deepEqual(hours[name], farm.hours[name].slice(offset, offset + length), name);
    }
  }
});
