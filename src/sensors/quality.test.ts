import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BitField } from './definition/quality.ts';
import type { QualityLayout } from './index.ts';
import { sensorByAbbreviation, sensors, toInterfaceQuality } from './index.ts';

const landsat8 = sensorByAbbreviation('L8')!;
const toBqa = (layout: QualityLayout, stored: number) => {
  const bits = landsat8.quality?.layouts[layout];
  assert.ok(bits);
  return toInterfaceQuality(bits, stored);
};

test('the request layout stays unchanged', () => {
  for (const stored of [1, 20_480, 53_248, 61_440, 28_672, 36_864])
    assert.equal(toBqa('pre-collection', stored), stored);
});

test('quality bits of collection 1 are converted to the request layout', () => {
  const values = [
    [2720, 21_568], // clear
    [2800, 54_336], // cloud
    [6816, 29_760], // cirrus
    [1, 1], // fill
  ] as const;
  for (const [stored, bqa] of values) assert.equal(toBqa('collection-1', stored), bqa);
});

test('quality bits of collection 2 are converted to the request layout', () => {
  const values = [
    [21_824, 21_584], // clear
    [21_952, 21_616], // water
    [22_280, 54_352], // cloud
    [23_888, 21_712], // cloud shadow
    [30_048, 23_632], // snow
    [54_596, 29_776], // cirrus
    [55_052, 62_544], // cloud and cirrus
    [1, 1], // fill
  ] as const;
  for (const [stored, bqa] of values) assert.equal(toBqa('collection-2', stored), bqa);
});

test('a field of a layout moves to the field of the same name, for every value', () => {
  const legacy = landsat8.quality?.layouts['pre-collection'];
  assert.ok(legacy);
  for (const layout of ['collection-1', 'collection-2'] as const) {
    const bits = landsat8.quality?.layouts[layout];
    assert.ok(bits);
    for (const name of ['cloud', 'cirrus', 'snow', 'cloud shadow']) {
      const from: BitField | undefined = bits.fields.find((field) => field.name === name && field.bits === 2);
      const to: BitField | undefined = legacy.fields.find((field) => field.name === name);
      assert.ok(from !== undefined && to !== undefined, name);
      for (let confidence = 0; confidence < 4; confidence++) {
        const moved = toInterfaceQuality(bits, confidence << from.firstBit);
        assert.equal((moved >> to.firstBit) & 3, confidence, `${layout} ${name}`);
      }
    }
  }
});

test('no two fields of a layout share a bit, and all fit into sixteen', () => {
  for (const { quality } of sensors) {
    for (const { fields } of Object.values(quality?.layouts ?? {})) {
      const used = fields.flatMap(({ firstBit, bits }) =>
        Array.from({ length: bits }, (_, i) => firstBit + i),
      );
      assert.equal(new Set(used).size, used.length);
      assert.ok(used.every((bit) => bit >= 0 && bit < 16));
    }
  }
});

test('clouds and cirrus are the bits that requests use, and the palette of BQA shows them', () => {
  assert.deepEqual(landsat8.cloud.kind === 'bits' && [landsat8.cloud.cloudBits, landsat8.cloud.cirrusBits], [
    [15, 14],
    [13, 12],
  ]);
  const palette = landsat8.palettes.BQA;
  assert.ok(palette?.kind === 'bits');
  const color = (bqa: number) =>
    palette.entries.find(({ bits }) => bits.every((bit) => ((bqa >> bit) & 1) === 1))?.color ?? null;
  assert.equal(color(53_248), '#ffffff');
  assert.equal(color(28_672), '#e0ffff');
  assert.equal(color(20_480), null);
  assert.equal(color(1), null);
});

test('every cloud masking level has its classes', () => {
  const cloud = sensorByAbbreviation('S2L2A')?.cloud;
  assert.ok(cloud?.kind === 'classes');
  assert.deepEqual(cloud.levels, { 1: [9], 2: [8, 9], 3: [3, 7, 8, 9, 10], 4: [8, 9, 10] });
  const palette = sensorByAbbreviation('S2L2A')?.palettes.SCL;
  assert.ok(palette?.kind === 'values');
  assert.deepEqual(
    palette.entries.map(({ value }) => value),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  );
});
