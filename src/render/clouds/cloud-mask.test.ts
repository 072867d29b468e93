import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QualityLayout } from '../../sensors/index.ts';
import { sensorByAbbreviation, toInterfaceQuality } from '../../sensors/index.ts';
import { makeQualityMeaning, markClasses, markClouds, markedPercent, markFlags } from './cloud-mask.ts';

const opaqueOnly = { onlyOpaque: true };
const allClouds = { onlyOpaque: false };

/** The bits of a layout, as a caller composes them from the sensor's own words. */
function landsatMeaning(layout: QualityLayout) {
  const { cloud, quality } = sensorByAbbreviation('L8')!;
  const bits = quality?.layouts[layout];
  assert.ok(cloud.kind === 'bits' && bits !== undefined);
  const { cloudBits, cirrusBits } = cloud;
  return makeQualityMeaning({
    cloudBits,
    cirrusBits,
    toInterface: (stored) => toInterfaceQuality(bits, stored),
  });
}

// Vectors computed by hand from the layouts in the handbooks.
const qualities = [
  { layout: 'pre-collection', stored: 20_480, name: 'clear', opaque: 0, any: 0 },
  { layout: 'pre-collection', stored: 53_248, name: 'cloud', opaque: 1, any: 1 },
  { layout: 'pre-collection', stored: 61_440, name: 'cloud and cirrus', opaque: 0, any: 1 },
  { layout: 'pre-collection', stored: 28_672, name: 'cirrus only', opaque: 0, any: 1 },
  { layout: 'pre-collection', stored: 36_864, name: 'cloud of medium confidence', opaque: 0, any: 0 },
  { layout: 'collection-1', stored: 2720, name: 'clear', opaque: 0, any: 0 },
  { layout: 'collection-1', stored: 2800, name: 'cloud', opaque: 1, any: 1 },
  { layout: 'collection-1', stored: 6816, name: 'cirrus', opaque: 0, any: 1 },
  { layout: 'collection-1', stored: 2976, name: 'shadow', opaque: 0, any: 0 },
  { layout: 'collection-1', stored: 3744, name: 'snow', opaque: 0, any: 0 },
  { layout: 'collection-1', stored: 1, name: 'fill', opaque: 0, any: 0 },
  { layout: 'collection-2', stored: 21_824, name: 'clear', opaque: 0, any: 0 },
  { layout: 'collection-2', stored: 21_952, name: 'water', opaque: 0, any: 0 },
  { layout: 'collection-2', stored: 22_280, name: 'cloud', opaque: 1, any: 1 },
  { layout: 'collection-2', stored: 23_888, name: 'shadow', opaque: 0, any: 0 },
  { layout: 'collection-2', stored: 30_048, name: 'snow', opaque: 0, any: 0 },
  { layout: 'collection-2', stored: 54_596, name: 'cirrus', opaque: 0, any: 1 },
  { layout: 'collection-2', stored: 55_052, name: 'cloud and cirrus', opaque: 0, any: 1 },
  { layout: 'collection-2', stored: 1, name: 'fill', opaque: 0, any: 0 },
] as const;

for (const { layout, stored, name, opaque, any } of qualities) {
  test(`Landsat quality ${stored} of ${layout}: ${name}`, () => {
    const meaning = landsatMeaning(layout);
    // Twice, because known values are cached, and as floats, as a warp leaves them.
    const source = { kind: 'bits', values: Float32Array.of(stored, stored), meaning } as const;
    assert.deepEqual([...markClouds(source, opaqueOnly)], [opaque, opaque]);
    assert.deepEqual([...markClouds(source, allClouds)], [any, any]);
  });
}

test('every quality value is cached as it was computed', () => {
  const meaning = landsatMeaning('collection-2');
  for (let stored = 0; stored < 65_536; stored++) {
    const isFill = (stored & 1) === 1;
    const isCirrus = !isFill && stored >> 14 === 3;
    const isOpaque = !isFill && ((stored >> 8) & 3) === 3 && !isCirrus;
    const wanted = Number(isOpaque) + 2 * Number(isCirrus);
    assert.equal(meaning.cloudsOf(stored), wanted);
    assert.equal(meaning.cloudsOf(stored), wanted);
  }
});

test('Sentinel-2 mask images mark opaque clouds alone, or cirrus too; snow is not a cloud', () => {
  const opaque = Uint8Array.of(0, 1, 0, 1, 0);
  const cirrus = Uint8Array.of(0, 0, 1, 1, 0);
  const snow = Uint8Array.of(0, 0, 0, 0, 1);
  assert.deepEqual([...markClouds({ kind: 'flags', planes: [opaque] }, opaqueOnly)], [0, 1, 0, 1, 0]);
  assert.deepEqual([...markClouds({ kind: 'flags', planes: [opaque, cirrus] }, allClouds)], [0, 1, 1, 1, 0]);
  assert.deepEqual([...markFlags([opaque, snow])], [0, 1, 0, 1, 1]);
  assert.deepEqual([...markFlags([Float32Array.of(0, 1, Number.NaN, -1)])], [0, 1, 0, 1]);
});

const scl = sensorByAbbreviation('S2L2A')!.cloud;
const everyClass = new Float32Array(12).map((_, i) => i);
const classesOf = (marks: Uint8Array) => [...marks.entries()].flatMap(([i, mark]) => (mark === 1 ? [i] : []));

test('cloud_masking_level selects the classes of every level', () => {
  assert.ok(scl.kind === 'classes');
  const wanted = { 1: [9], 2: [8, 9], 3: [3, 7, 8, 9, 10], 4: [8, 9, 10] };
  for (const level of [1, 2, 3, 4] as const)
    assert.deepEqual(classesOf(markClasses(everyClass, scl.levels[level])), wanted[level]);
  assert.deepEqual(classesOf(markClasses(everyClass, scl.invalid)), [0, 1]);
});

test('a scene classification marks opaque clouds, or all of them', () => {
  assert.ok(scl.kind === 'classes');
  const source = { kind: 'classes', values: everyClass, opaque: scl.opaque, cirrus: scl.cirrus } as const;
  assert.deepEqual(classesOf(markClouds(source, opaqueOnly)), [...scl.opaque]);
  assert.deepEqual(classesOf(markClouds(source, allClouds)), [...scl.opaque, ...scl.cirrus]);
});

test('a value that is not a class, or not a number, is not marked', () => {
  const values = Float32Array.of(-1, 300, 9.5, Number.NaN, 9);
  assert.deepEqual([...markClasses(values, [9])], [0, 0, 0, 0, 1]);
});

test('percentages refer to the pixels with data', () => {
  const marks = Uint8Array.of(1, 1, 0, 0, 1);
  assert.equal(markedPercent(marks, null), 60);
  assert.equal(markedPercent(marks, Uint8Array.of(0, 1, 1, 1, 1)), 50);
  assert.equal(markedPercent(marks, Uint8Array.of(1, 0, 0, 0, 0)), 100);
  assert.equal(markedPercent(marks, new Uint8Array(5)), null);
  assert.equal(markedPercent(new Uint8Array(0), null), null);
});

test('planes of different sizes are refused', () => {
  const [small, large] = [new Uint8Array(2), new Uint8Array(3)];
  for (const combine of [() => markFlags([small, large]), () => markedPercent(small, large)])
    assert.throws(combine, { code: 'mask-size' });
});
