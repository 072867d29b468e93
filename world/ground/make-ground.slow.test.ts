import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Climate } from '../climate/climate.ts';
import { fire, flood, floodLevelM, spots } from '../setting.ts';
import { makeGroundBase } from './base/ground-base.ts';
import type { Ground, Locations, Painted, Palette, Survey } from './ground.ts';
import { covers } from './ground.ts';
import { makeGround } from './make-ground.ts';
import type { Material } from './materials.ts';
import { materials } from './materials.ts';
import { isBaked } from './survey/baked-survey.ts';
import { storedParts } from './survey/mixer.ts';

/** Wet winters, dry summers, snow above a line that moves with the season. */
const climate: Climate = {
  dayAt: () => ({ minC: 6, maxC: 14, rainMm: 3, cloudiness: 0.5, windMs: 3, humidity: 0.7 }),
  soilWaterAt: (day) => (isSummer(day) ? 0.1 : 0.33),
  snowWaterMmAt: (day, heightM) => Math.max(0, heightM - (isSummer(day) ? 2300 : 900)),
};

function isSummer(day: number): boolean {
  const month = new Date(day * 86_400_000).getUTCMonth();
  return month >= 5 && month <= 8;
}

const dayOf = (iso: string): number => Date.parse(iso) / 86_400_000;

const greens: readonly Material[] = [
  'green-crop',
  'blue-green-crop',
  'meadow',
  'shrub',
  'broadleaf',
  'conifer',
];

/** Red and near infrared: leaves are dark in the one and bright in the other, water dark and snow bright in both. */
function toPair(material: Material): readonly [red: number, nir: number] {
  if (greens.includes(material)) return [0.04, 0.4];
  if (material.endsWith('-water')) return [0.03, 0.01];
  if (material.endsWith('-snow')) return [0.8, 0.7];
  if (material === 'char') return [0.04, 0.06];
  return [0.16, 0.24];
}

const palette: Palette = {
  bandCount: 2,
  of: Object.fromEntries(
    materials.map((material) => [material, Float32Array.from(toPair(material))]),
  ) as unknown as Palette['of'],
};

const base = makeGroundBase(5);
const ground = makeGround({ seed: 5, climate, base });

/** A square of pixels around a location. */
function squareAt(
  { x, y }: { readonly x: number; readonly y: number },
  sizePx: number,
  sideM: number,
): Locations {
  const locations = { x: new Float64Array(sizePx * sizePx), y: new Float64Array(sizePx * sizePx) };
  for (let i = 0; i < sizePx * sizePx; i++) {
    locations.x[i] = x + ((i % sizePx) + 0.5 - sizePx / 2) * sideM;
    locations.y[i] = y + (Math.floor(i / sizePx) + 0.5 - sizePx / 2) * sideM;
  }
  return { width: sizePx, height: sizePx, ...locations, sideM };
}

const paint = (survey: Survey, iso: string): Painted => ground.paint(survey, dayOf(iso), palette);

function shareOf(painted: Painted, ...named: readonly (typeof covers)[number][]): number {
  const wanted = named.map((cover) => covers.indexOf(cover));
  return painted.cover.filter((cover) => wanted.includes(cover)).length / painted.cover.length;
}

function meanNdvi({ reflectance: [red, nir] }: Painted): number {
  let sum = 0;
  for (let i = 0; i < red!.length; i++) sum += (nir![i]! - red![i]!) / (nir![i]! + red![i]!);
  return sum / red!.length;
}

test('every river falls from its head to the sea, the lake or a larger river', () => {
  const { riverPoints, riverStarts, lakeLevelM } = base;
  assert.ok(riverStarts.length > 200, 'there is a network');
  const ends: number[] = [];
  for (let river = 0; river + 1 < riverStarts.length; river++) {
    let level = Number.POSITIVE_INFINITY;
    for (let point = riverStarts[river]!; point < riverStarts[river + 1]!; point++) {
      const here = riverPoints[point * 3 + 2]!;
      assert.ok(here <= level + 1e-3, `river ${river} rises from ${level} to ${here} m`);
      level = here;
    }
    ends.push(level);
    const last = (riverStarts[river + 1]! - 1) * 3;
    const [x, y] = [riverPoints[last]!, riverPoints[last + 1]!];
    const isWater = level < 1.5 || Math.abs(level - lakeLevelM) < 3;
    assert.ok(isWater || isNearOtherRiver(river, x, y), `river ${river} ends on dry land at ${x}, ${y}`);
  }
  assert.ok(ends.filter((level) => level < 1).length >= 3, 'the three main rivers reach the sea');
});

function isNearOtherRiver(river: number, x: number, y: number): boolean {
  const { riverPoints, riverStarts } = base;
  for (let point = 0; point * 3 < riverPoints.length; point++) {
    if (point >= riverStarts[river]! && point < riverStarts[river + 1]!) continue;
    const dx = riverPoints[point * 3]! - x;
    const dy = riverPoints[point * 3 + 1]! - y;
    if (dx * dx + dy * dy < 260 * 260) return true;
  }
  return false;
}

test('the ground follows its main rivers downhill, and the lake is level', () => {
  const { riverPoints, riverStarts, lakeLevelM } = base;
  for (let river = 0; river < 3; river++) {
    let lowest = Number.POSITIVE_INFINITY;
    for (let point = riverStarts[river]!; point < riverStarts[river + 1]!; point += 10) {
      const heightM = ground.heightAt(riverPoints[point * 3]!, riverPoints[point * 3 + 1]!);
      assert.ok(heightM < lowest + 1, `the bed of river ${river} rises from ${lowest} to ${heightM} m`);
      lowest = Math.min(lowest, heightM);
    }
  }
  assert.ok(Math.abs(ground.heightAt(spots.lake.x, spots.lake.y) - lakeLevelM) < 0.01);
});

test('heights range from sea in the west over a plain to a summit of almost 3,000 m', () => {
  assert.equal(ground.heightAt(2000, 60000), 0);
  const farmM = ground.heightAt(spots.farm.x, spots.farm.y);
  assert.ok(farmM > 2 && farmM < 80, `farmland lies at ${farmM} m`);
  const { heightM } = ground.survey(squareAt(spots.summit, 60, 60));
  const topM = heightM.reduce((a, b) => Math.max(a, b));
  assert.ok(topM > 2700 && topM < 3100, `the summit is ${topM} m high`);
});

test('a survey agrees with the heights and slopes of single locations', () => {
  const survey = ground.survey(squareAt(spots.forest, 12, 10));
  const { x, y } = survey.locations;
  for (let i = 0; i < x.length; i += 7) {
    const heightM = ground.heightAt(x[i]!, y[i]!);
    assert.ok(Math.abs(survey.heightM[i]! - heightM) < 0.01);
    const eastM = ground.heightAt(x[i]! + 1, y[i]!) - ground.heightAt(x[i]! - 1, y[i]!);
    assert.ok(Math.abs(survey.slopeX[i]! - eastM / 2) < 0.01);
    const southM = ground.heightAt(x[i]!, y[i]! + 1) - ground.heightAt(x[i]!, y[i]! - 1);
    assert.ok(Math.abs(survey.slopeY[i]! - southM / 2) < 0.01);
  }
});

/** Where a location lies against a ring that turns one way: metres inside its nearest side, negative outside. */
function insideM(ring: readonly (readonly [x: number, y: number])[], x: number, y: number): number {
  let turn = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [ax, ay] = ring[i]!;
    const [bx, by] = ring[i + 1]!;
    turn += ax * by - bx * ay;
  }
  for (let i = 0; i + 1 < ring.length; i++) {
    const [ax, ay] = ring[i]!;
    const [bx, by] = ring[i + 1]!;
    const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    nearest = Math.min(nearest, (Math.sign(turn) * cross) / Math.hypot(bx - ax, by - ay));
  }
  return nearest;
}

test('field numbers agree with the rings of the fields', () => {
  const survey = ground.survey(squareAt(spots.farm, 120, 25));
  const around = { x: spots.farm.x, y: spots.farm.y };
  const fields = ground.fieldsIn({
    minX: around.x - 4000,
    minY: around.y - 4000,
    maxX: around.x + 4000,
    maxY: around.y + 4000,
  });
  const rings = new Map(fields.map(({ id, ring }) => [id, ring]));
  let inFields = 0;
  for (let i = 0; i < survey.fieldId.length; i++) {
    const [x, y] = [survey.locations.x[i]!, survey.locations.y[i]!];
    const id = survey.fieldId[i]!;
    if (id !== 0) {
      inFields++;
      assert.ok(insideM(rings.get(id)!, x, y) > -0.05, `${x}, ${y} is outside field ${id}`);
    } else if (i % 11 === 0) {
      for (const { id: other, ring } of fields) {
        assert.ok(insideM(ring, x, y) < 0.05, `${x}, ${y} is inside field ${other}`);
      }
    }
  }
  assert.ok(inFields / survey.fieldId.length > 0.5, 'most of the farmland is fields');
  for (const { ring } of fields) assert.deepEqual(ring[0], ring.at(-1));
});

test('there are some thousand fields, each listed once by the position of its centre', () => {
  const all = ground.fieldsIn({ minX: 0, minY: 0, maxX: 109800, maxY: 109800 });
  assert.ok(all.length > 4000 && all.length < 30000, `${all.length} fields`);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  const west = ground.fieldsIn({ minX: 0, minY: 0, maxX: 45000, maxY: 109800 });
  const east = ground.fieldsIn({ minX: 45000, minY: 0, maxX: 109800, maxY: 109800 });
  assert.equal(west.length + east.length, all.length);
});

function digest(of: Ground): string {
  const hash = createHash('sha256');
  for (const spot of Object.values(spots)) {
    const survey = of.survey(squareAt(spot, 16, 20));
    const painted = of.paint(survey, dayOf('2025-05-20'), palette);
    for (const plane of [survey.heightM, survey.fieldId, ...painted.reflectance, painted.cover]) {
      hash.update(new Uint8Array(plane.buffer, plane.byteOffset, plane.byteLength));
    }
  }
  return hash.digest('hex');
}

test('the same seed makes the same bytes, another seed makes others', () => {
  const first = digest(ground);
  assert.equal(digest(makeGround({ seed: 5, climate })), first);
  // As another thread gets it: the base goes through a structured clone.
  assert.equal(digest(makeGround({ seed: 5, climate, base: structuredClone(base) })), first);
  assert.notEqual(digest(makeGround({ seed: 6, climate })), first);
});

test('the surroundings of a pixel do not change it', () => {
  const wide = ground.survey(squareAt(spots.town, 40, 10));
  const narrow = ground.survey(squareAt(spots.town, 20, 10));
  const a = paint(wide, '2025-07-01').reflectance[1]!;
  const b = paint(narrow, '2025-07-01').reflectance[1]!;
  for (let row = 0; row < 20; row++) {
    assert.deepEqual(
      a.subarray((row + 10) * 40 + 10, (row + 10) * 40 + 30),
      b.subarray(row * 20, row * 20 + 20),
    );
  }
});

test('shares of every pixel sum to one, and reflectances stay within those of the materials', () => {
  for (const spot of Object.values(spots)) {
    for (const sideM of [1, 10, 110, 500]) {
      const survey = ground.survey(squareAt(spot, 12, sideM));
      assert.ok(isBaked(survey));
      const pixels = survey.shares.length / storedParts;
      for (let i = 0; i < pixels; i++) {
        let sum = 0;
        for (let at = i; at < survey.shares.length; at += pixels) sum += survey.shares[at] as number;
        assert.equal(sum, 255);
      }
      const painted = paint(survey, '2025-10-10');
      for (const plane of painted.reflectance) assert.ok(plane.every((value) => value >= 0 && value < 1.6));
      for (const plane of [painted.green, painted.snow, painted.water, painted.roughness]) {
        assert.ok(plane.every((value) => value >= 0 && value <= 1.00001));
      }
      assert.ok(painted.moisture.every((value) => value >= 0.0199 && value <= 0.5501));
    }
  }
});

test('the named spots show what their names say', () => {
  const at = (spot: keyof typeof spots): Painted =>
    paint(ground.survey(squareAt(spots[spot], 50, 40)), '2025-07-01');
  assert.ok(shareOf(at('farm'), 'crop', 'grass', 'bare-soil', 'stubble') > 0.5);
  assert.ok(shareOf(at('town'), 'built-up', 'road', 'grass') > 0.7);
  assert.ok(shareOf(at('forest'), 'conifer-forest') > 0.5);
  assert.ok(shareOf(at('fire'), 'conifer-forest') > 0.5);
  assert.ok(shareOf(at('lake'), 'lake') > 0.5);
  const shore = shareOf(at('shore'), 'sea');
  assert.ok(shore > 0.15 && shore < 0.85, `sea is ${shore} of the shore`);
  assert.ok(
    shareOf(paint(ground.survey(squareAt(spots.summit, 50, 40)), '2025-08-20'), 'snow', 'rock') > 0.6,
  );
});

test('the fire burns about fifty square kilometres between its dates, and the ground slowly turns green again', () => {
  const survey = ground.survey(squareAt(fire, 160, 100));
  const burnt = (day: number): number => shareOf(ground.paint(survey, day, palette), 'burnt');
  assert.equal(burnt(fire.fromDay - 1), 0);
  assert.equal(burnt(dayOf('1995-09-01')), 0);
  const areaKm2 = burnt(fire.burntDay) * 256;
  assert.ok(areaKm2 > 35 && areaKm2 < 65, `${areaKm2} km² burnt`);
  assert.ok(burnt(fire.fromDay) > 0 && burnt(fire.fromDay) < burnt(fire.burntDay));
  const ndvi = (day: number): number => meanNdvi(ground.paint(survey, day, palette));
  assert.ok(ndvi(fire.burntDay) < ndvi(fire.fromDay - 1) - 0.05);
  assert.ok(ndvi(fire.burntDay + 365) > ndvi(fire.burntDay) + 0.005);
});

test('the flood rises and falls between its dates', () => {
  const survey = ground.survey(squareAt(spots.flood, 100, 80));
  const flooded = (day: number): number => shareOf(ground.paint(survey, day, palette), 'flood');
  assert.equal(flooded(flood.fromDay - 1), 0);
  assert.equal(flooded(flood.untilDay + 1), 0);
  assert.ok(flooded(flood.peakDay) > 0.15);
  assert.ok(flooded(flood.peakDay) > flooded(flood.fromDay));
  assert.ok(flooded(flood.peakDay) > flooded(flood.peakDay + 6));
  assert.ok(floodLevelM(flood.untilDay) > 0);
  const { water } = ground.paint(survey, flood.peakDay, palette);
  assert.ok(water.some((share) => share > 0.9));
});

test('farmland and broadleaf woods turn green in spring, and snow reaches low ground in winter', () => {
  const farm = ground.survey(squareAt(spots.farm, 80, 40));
  const winter = meanNdvi(paint(farm, '2025-01-20'));
  const summer = meanNdvi(paint(farm, '2025-06-20'));
  assert.ok(summer > winter + 0.08, `NDVI ${winter} in January, ${summer} in June`);
  assert.ok(
    shareOf(paint(farm, '2025-08-25'), 'stubble') > shareOf(paint(farm, '2025-06-20'), 'stubble') + 0.05,
  );
  const forest = ground.survey(squareAt({ x: 96000, y: 60000 }, 60, 60));
  const snowOn = (iso: string): number => paint(forest, iso).snow.reduce((a, b) => a + b) / 3600;
  assert.ok(snowOn('2025-02-01') > snowOn('2025-08-01') + 0.05);
});

test('the reservoir shows its rim in late summer', () => {
  const survey = ground.survey(squareAt(spots.lake, 120, 40));
  assert.ok(
    shareOf(paint(survey, '2025-10-01'), 'lake') < shareOf(paint(survey, '2025-06-10'), 'lake') - 0.005,
  );
});

test('coarse pixels are the mean of fine ones', () => {
  const coarse = paint(ground.survey(squareAt(spots.farm, 4, 500)), '2025-07-10').reflectance[1]!;
  const fine = paint(ground.survey(squareAt(spots.farm, 100, 20)), '2025-07-10').reflectance[1]!;
  const mean = (plane: Float32Array): number => plane.reduce((a, b) => a + b) / plane.length;
  assert.ok(Math.abs(mean(coarse) - mean(fine)) < 0.02);
});

test('30 m of a town equal four times 15 m, so that sharpening invents no roofs', () => {
  const near = (width: number, sideM: number): Locations => {
    const count = width * width;
    const at = (i: number): number => i * sideM - 1500;
    return {
      width,
      height: width,
      sideM,
      x: new Float64Array(count).map((_, i) => spots.town.x + at(i % width)),
      y: new Float64Array(count).map((_, i) => spots.town.y + at(Math.floor(i / width))),
    };
  };
  // As Landsat's grids lie: the middles of the first pixels are the same location.
  const [coarse, fine] = [near(100, 30), near(199, 15)].map(
    (locations) => paint(ground.survey(locations), '2025-07-10').reflectance[0]!,
  );
  const errors: number[] = [];
  for (let row = 1; row < 99; row++) {
    for (let column = 1; column < 99; column++) {
      let mean = 0;
      for (const [j, down] of [0.25, 0.5, 0.25].entries()) {
        for (const [i, right] of [0.25, 0.5, 0.25].entries()) {
          mean += down * right * fine![(2 * row + j - 1) * 199 + 2 * column + i - 1]!;
        }
      }
      errors.push(Math.abs(coarse![row * 100 + column]! / mean - 1));
    }
  }
  errors.sort((a, b) => a - b);
  const [median, high] = [errors[errors.length / 2]!, errors[Math.floor(errors.length * 0.95)]!];
  assert.ok(median < 0.01 && high < 0.07, `off by ${median} at the median, ${high} at 95 of 100`);
});

test('a survey of the wrong size, a foreign survey and another seed are refused', () => {
  const locations = squareAt(spots.farm, 4, 10);
  assert.throws(() => ground.survey({ ...locations, width: 5 }), /survey of 5 x 4 locations/);
  const { parts: _, mainPart: __, ...bare } = ground.survey(locations) as Survey & Record<string, unknown>;
  assert.throws(() => ground.paint(bare as Survey, 20000, palette), /Only a survey that a ground made/);
  assert.throws(() => makeGround({ seed: 6, climate, base }), /seed 5, the ground of seed 6/);
});
