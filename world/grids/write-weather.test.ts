/** A variable of a file, and its numbers. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeClimate } from '../climate/climate.ts';
import type { Ground } from '../ground/ground.ts';
import type { World } from '../ground/world.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { frame, toDay, worldYears } from '../setting.ts';
import { writeWeather } from './write-weather.ts';

interface Variable {
  readonly dimensions: readonly string[];
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly values: Float64Array;
}

interface ReadNetcdf {
  readonly dimensions: Readonly<Record<string, number>>;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly variables: Readonly<Record<string, Variable>>;
}

/** Reads a NetCDF classic file by the specification of Unidata, apart from the code that writes them. */
function readNetcdf(bytes: Buffer): ReadNetcdf {
  let at = 0;
  const int32 = (): number => {
    at += 4;
    return bytes.readInt32BE(at - 4);
  };
  const text = (length: number): string => {
    const start = at;
    at += Math.ceil(length / 4) * 4;
    return bytes.toString('utf8', start, start + length);
  };
  const list = <Item>(tag: number, read: () => Item): Item[] => {
    const [found, count] = [int32(), int32()];
    assert.ok(found === tag || (found === 0 && count === 0), `a list of ${found}, not ${tag}`);
    return Array.from({ length: count }, read);
  };
  const attributes = (): Record<string, string | number> =>
    Object.fromEntries(
      list(0x0c, () => {
        const name = text(int32());
        const [type, count] = [int32(), int32()];
        if (type === 2) return [name, text(count)] as const;
        assert.deepEqual([type, count], [5, 1], `${name} is a text or one float`);
        at += 4;
        return [name, bytes.readFloatBE(at - 4)] as const;
      }),
    );
  assert.equal(text(4), 'CDF\u0001');
  assert.equal(int32(), 0, 'no records');
  const dimensions = list(0x0a, () => [text(int32()), int32()] as const);
  const ofFile = attributes();
  const headers = list(0x0b, () => {
    const name = text(int32());
    const indices = Array.from({ length: int32() }, int32);
    const ofVariable = attributes();
    return { name, indices, ofVariable, type: int32(), size: int32(), begin: int32() };
  });
  let end = at;
  const variables = headers.map(({ name, indices, ofVariable, type, size, begin }) => {
    assert.equal(begin, end, `${name} begins where the one before it ends`);
    end += size;
    const count = indices.reduce((product, index) => product * dimensions[index]![1], 1);
    const width = type === 5 ? 4 : 8;
    assert.ok(type === 5 || type === 6);
    assert.equal(size, count * width);
    const values = new Float64Array(count).map((_, i) =>
      type === 5 ? bytes.readFloatBE(begin + 4 * i) : bytes.readDoubleBE(begin + 8 * i),
    );
    const names = indices.map((index) => dimensions[index]![0]);
    return [name, { dimensions: names, attributes: ofVariable, values }] as const;
  });
  assert.equal(end, bytes.length, 'nothing follows the last variable');
  return {
    dimensions: Object.fromEntries(dimensions),
    attributes: ofFile,
    variables: Object.fromEntries(variables),
  };
}

const neverCalled = (): never => {
  throw new Error('weather needs heights only');
};
/** A country that rises from the sea in the west to 2,200 m in the east. */
const heightAt = (x: number): number => (2200 * x) / frame.sizeM;
const ground: Ground = { survey: neverCalled, paint: neverCalled, fieldsIn: neverCalled, heightAt };
const climate = makeClimate(WORLD_SEED);
const world: World = { climate, ground };

let directory: string;
let history: ReadNetcdf;
let soil: ReadNetcdf;
let forecast: ReadNetcdf;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'swath-weather-'));
  await writeWeather(world, directory);
  const names = readdirSync(directory).sort();
  assert.deepEqual(names, [
    'forecast_20260930T00.nc',
    'soil-moisture-daily_20241001_20260930.nc',
    'weather-daily_20241001_20260930.nc',
  ]);
  [forecast, soil, history] = names.map((name) => readNetcdf(readFileSync(join(directory, name)))) as [
    ReadNetcdf,
    ReadNetcdf,
    ReadNetcdf,
  ];
});
after(() => rmSync(directory, { recursive: true }));

const [first, last] = [toDay(worldYears.first), toDay(worldYears.last)];
const sizes = { lat: 12, lon: 16 };
const cells = sizes.lat * sizes.lon;
const valuesOf = (file: ReadNetcdf, name: string): Float64Array => file.variables[name]!.values;
const mean = (values: Iterable<number>): number => {
  const all = [...values];
  return all.reduce((sum, value) => sum + value, 0) / all.length;
};

test('weather has two years of days on a grid of tenths of a degree that contains the whole world', () => {
  for (const file of [history, soil]) {
    assert.deepEqual(file.dimensions, { time: last - first + 1, ...sizes });
    assert.equal(file.attributes.Conventions, 'CF-1.8');
    assert.equal(file.variables.time!.attributes.units, 'days since 1970-01-01 00:00:00');
    const times = valuesOf(file, 'time');
    assert.ok(times.every((day, i) => day === first + i));
    const [latitudes, longitudes] = [valuesOf(file, 'lat'), valuesOf(file, 'lon')];
    assert.ok(latitudes.every((latitude, i) => Math.abs(latitude - (48.8 - i / 10)) < 1e-9));
    assert.ok(longitudes.every((longitude, i) => Math.abs(longitude - (-123 + i / 10)) < 1e-9));
    assert.equal(file.variables.lat!.attributes.units, 'degrees_north');
  }
  assert.deepEqual(forecast.dimensions, { time: 61, ...sizes });
  assert.equal(forecast.variables.time!.attributes.units, 'hours since 2026-09-30 00:00:00');
  assert.equal(forecast.attributes.forecast_reference_time, '2026-09-30T00:00:00Z');
});

test('every quantity has its unit, a fill value and a number in every cell', () => {
  const units = {
    Temperature_Air_2m_Min_24h: 'K',
    Temperature_Air_2m_Max_24h: 'K',
    Vapour_Pressure_Mean: 'hPa',
    Wind_Speed_10m_Mean: 'm s-1',
    Precipitation_Flux: 'mm d-1',
    Snow_Thickness_Mean: 'cm',
    sm_surface: 'm3 m-3',
    TMP_2maboveground: 'K',
    TSOIL_0M0D1mbelowground: 'K',
    RH_2maboveground: '%',
    WIND_10maboveground: 'm s-1',
    APCP_surface: 'mm',
    SNOD_surface: 'm',
  };
  const all = [history, soil, forecast].flatMap(({ variables }) => Object.entries(variables));
  const found = all.filter(([, { dimensions }]) => dimensions.length === 3);
  assert.deepEqual(
    Object.fromEntries(found.map(([name, { attributes }]) => [name, attributes.units])),
    units,
  );
  for (const [name, { dimensions, attributes, values }] of found) {
    assert.deepEqual(dimensions, ['time', 'lat', 'lon']);
    assert.equal(attributes._FillValue, -9999);
    const floor = units[name as keyof typeof units] === 'K' ? 220 : 0;
    // nowhere has deeper snow been measured than 1,182 cm, on Mount Ibuki in 1927
    const ceiling = name === 'Snow_Thickness_Mean' ? 1182 : 400;
    assert.ok(
      values.every((value) => value >= floor && value <= ceiling),
      name,
    );
  }
});

test('air cools by 6.5 K per kilometre of height, with more rain and wind there', () => {
  const longitudes = valuesOf(history, 'lon');
  /** Mean over all days of a column of the grid. */
  const column = (name: string, col: number): number =>
    mean(valuesOf(history, name).filter((_, i) => i % sizes.lon === col));
  // columns 1 and 13 lie inside of the frame, and so far apart in metres
  const [west, east] = [1, 13];
  const metres = (longitudes[east]! - longitudes[west]!) * 111_320 * Math.cos((48.25 * Math.PI) / 180);
  const climb = (2200 * metres) / frame.sizeM;
  for (const name of ['Temperature_Air_2m_Min_24h', 'Temperature_Air_2m_Max_24h']) {
    const cooler = column(name, west) - column(name, east);
    assert.ok(Math.abs(cooler - 0.0065 * climb) < 0.3, `${name}: ${cooler} K in ${climb} m`);
  }
  for (const name of ['Precipitation_Flux', 'Wind_Speed_10m_Mean', 'Snow_Thickness_Mean']) {
    assert.ok(column(name, east) > 1.3 * column(name, west), name);
  }
  const [low, high] = [
    valuesOf(history, 'Temperature_Air_2m_Min_24h'),
    valuesOf(history, 'Temperature_Air_2m_Max_24h'),
  ];
  assert.ok(low.every((value, i) => value < high[i]!));
});

test('the first day of the forecast is the last day of the history', () => {
  const day = (name: string) => valuesOf(history, name).slice(-cells);
  const hour = (name: string, hours: number) =>
    valuesOf(forecast, name).slice((hours / 3) * cells, (hours / 3 + 1) * cells);
  const [min, max, rain] = [
    'Temperature_Air_2m_Min_24h',
    'Temperature_Air_2m_Max_24h',
    'Precipitation_Flux',
  ].map(day);
  const hours = [0, 3, 6, 9, 12, 15, 18, 21];
  for (let cell = 0; cell < cells; cell++) {
    const air = hours.map((at) => hour('TMP_2maboveground', at)[cell]!);
    const [coldest, warmest] = [Math.min(...air), Math.max(...air)];
    const swing = max![cell]! - min![cell]!;
    // the warmest and coldest moments lie between two steps of three hours, so a little of the swing is missed
    assert.ok(coldest >= min![cell]! - 1e-3 && coldest < min![cell]! + 0.05 * swing + 1e-3);
    assert.ok(warmest <= max![cell]! + 1e-3 && warmest > max![cell]! - 0.05 * swing - 1e-3);
    assert.ok(Math.abs(hour('APCP_surface', 24)[cell]! - rain![cell]!) < 1e-3);
    assert.equal(hour('APCP_surface', 0)[cell], 0);
  }
  const snow = day('Snow_Thickness_Mean');
  assert.ok(hour('SNOD_surface', 12).every((metres, i) => Math.abs(metres - snow[i]! / 100) < 1e-5));
});

test('forecast rain only accumulates', () => {
  const rain = valuesOf(forecast, 'APCP_surface');
  for (let i = cells; i < rain.length; i++) assert.ok(rain[i]! >= rain[i - cells]! - 1e-4);
});

test('soil contains between 5 and 50 % water, and less at the end of summer than in winter', () => {
  const moisture = valuesOf(soil, 'sm_surface');
  assert.ok(moisture.every((value) => value >= 0.05 && value <= 0.5));
  const during = (from: string, until: string) =>
    mean(moisture.subarray((toDay(from) - first) * cells, (toDay(until) - first) * cells));
  const winter = during('2025-01-01', '2025-02-01');
  const summer = during('2025-08-01', '2025-09-01');
  assert.ok(winter > summer + 0.05, `${winter} in January, ${summer} in August`);
  // the same water that the fields of scenes have
  const today = toDay('2025-05-15');
  const cell = moisture.subarray((today - first) * cells, (today - first + 1) * cells);
  assert.ok(Math.abs(mean(cell) / climate.soilWaterAt(today) - 1) < 0.1);
});
