import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../ground/ground.ts';
import { makeFakeWorld } from '../testing/fake-world.ts';
import { backscatter, makeSpeckle } from './backscatter.ts';
import type { RadarRequest } from './exposure.ts';
import { makeLocations } from './testing/test-light.ts';

const world = makeFakeWorld();
const survey = world.ground.survey(makeLocations({ left: 0, top: 0, sideM: 40, size: 120 }));
const painted = world.ground.paint(survey, 0, { bandCount: 0, of: {} as never });

const look = (changes: Partial<RadarRequest> = {}): Float32Array =>
  backscatter(world, {
    survey,
    atMs: Date.UTC(2024, 6, 10, 2),
    polarisation: 'VV',
    lookAzimuthDeg: 260,
    incidenceDeg: new Float32Array(survey.heightM.length).fill(38),
    looks: 5,
    seed: 4,
    ...changes,
  });

function decibelsOf(plane: Float32Array, cover: (typeof covers)[number]): number {
  const wanted = Array.from(plane).filter((_, i) => painted.cover[i] === covers.indexOf(cover));
  return 10 * Math.log10(wanted.reduce((sum, value) => sum + value, 0) / wanted.length);
}

test('speckle has mean 1, the variance of its looks and a long tail', () => {
  for (const looks of [1, 4.4, 40]) {
    const speckle = makeSpeckle(looks);
    const draws = Array.from({ length: 100_000 }, (_, i) => speckle(i, 0, 7));
    const moment = (power: number, about: number): number =>
      draws.reduce((sum, draw) => sum + (draw - about) ** power, 0) / draws.length;
    const mean = moment(1, 0);
    const variance = moment(2, mean);
    assert.ok(Math.abs(mean - 1) < 0.01, `mean ${mean}`);
    assert.ok(Math.abs(variance * looks - 1) < 0.05, `variance ${variance}`);
    const skewness = moment(3, mean) / variance ** 1.5;
    assert.ok(Math.abs(skewness / (2 / Math.sqrt(looks)) - 1) < 0.12, `skewness ${skewness}`);
  }
  assert.throws(() => makeSpeckle(0), { code: 'bad-looks' });
});

test('the same request gives the same echoes, another seed or polarisation gives others', () => {
  assert.deepEqual(look(), look());
  assert.notDeepEqual(look(), look({ seed: 5 }));
  const [vv, vh] = [look(), look({ polarisation: 'VH' })];
  assert.notEqual(vv[0]! / vh[0]!, vv[1]! / vh[1]!);
});

test('water is dark, forest is bright, fields are in between', () => {
  const vv = look();
  const vh = look({ polarisation: 'VH' });
  assert.ok(decibelsOf(vv, 'sea') < -14 && decibelsOf(vv, 'sea') > -24, `sea ${decibelsOf(vv, 'sea')} dB`);
  assert.ok(decibelsOf(vv, 'crop') > decibelsOf(vv, 'sea') + 3);
  for (const cover of ['crop', 'conifer-forest', 'bare-soil'] as const) {
    assert.ok(decibelsOf(vh, cover) < decibelsOf(vv, cover) - 4, cover);
  }
  assert.ok(decibelsOf(vh, 'conifer-forest') > decibelsOf(vh, 'bare-soil') + 4);
});

test('slopes that face the radar are brighter than the same slopes seen from behind', () => {
  // The fake forest climbs towards the east, so it faces a radar in the west.
  const facing = decibelsOf(look({ lookAzimuthDeg: 270 }), 'conifer-forest');
  const behind = decibelsOf(look({ lookAzimuthDeg: 90 }), 'conifer-forest');
  assert.ok(facing > behind + 3, `${facing} and ${behind} dB`);
});

test('the sea gets darker towards grazing angles', () => {
  const at = (degrees: number): number =>
    decibelsOf(look({ incidenceDeg: new Float32Array(survey.heightM.length).fill(degrees) }), 'sea');
  assert.ok(at(30) > at(45) + 3);
});
