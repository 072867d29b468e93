/** Seasons of fields of the demo world: those of a scene every few days are those that the world knows of every day. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSeasons, smoothSeries, toDate, toDayNumber } from '../../src/seasons/index.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { DAY_MS } from '../../src/units.ts';
import { findTruth } from '../../world/demo/truth.ts';
import type { Field } from '../../world/ground/ground.ts';
import type { World } from '../../world/ground/world.ts';
import { spots } from '../../world/setting.ts';
import { openWorld } from './shared-world.ts';

const sensor = sensorByDataset('sentinel2l2a')!;
/** Until before the catch crops and the snow of the last winter: those are shorter than what the smoother shows. */
const [FIRST, LAST] = [toDayNumber('2025-01-01'), toDayNumber('2026-10-31')];

/** The middle of a field's corners; of most fields it lies inside. */
const insideOf = ({ ring }: Field) => ({
  x: ring.slice(1).reduce((sum, [x]) => sum + x, 0) / (ring.length - 1),
  y: ring.slice(1).reduce((sum, [, y]) => sum + y, 0) / (ring.length - 1),
});

/** The mean NDVI of a field on a day; null if its middle lies in another. */
const ndviOn = (world: World, field: Field, day: number): number | null => {
  const truth = findTruth(world, insideOf(field), { sensor, atMs: (day + 0.8) * DAY_MS, sky: null }).field;
  return truth?.id === field.id ? truth.meanNdvi : null;
};

/** The truth of each day; it is asked for every third day, and a field changes by little in between. */
function makeTruth(world: World, field: Field): Float64Array | null {
  const STEP = 3;
  const known: number[] = [];
  for (let day = FIRST; day <= LAST + STEP; day += STEP) {
    const value = ndviOn(world, field, day);
    if (value === null) return null;
    known.push(value);
  }
  return new Float64Array(LAST - FIRST + 1).map((_, i) => {
    const [before, after] = [known[Math.floor(i / STEP)]!, known[Math.floor(i / STEP) + 1]!];
    return before + ((i % STEP) / STEP) * (after - before);
  });
}

/** Days by which the start and end of a season may be off: the smoother rounds a harvest, which takes a day. */
const SLACK_DAYS = 7;
const options = { startFraction: 0.5, endFraction: 0.5, minAmplitude: 0.4 };

test('seasons of a scene every five days start and end when those of the world do', async () => {
  const world = await openWorld();
  const { x, y } = spots.farm;
  const near = world.ground.fieldsIn({ minX: x - 900, minY: y - 900, maxX: x + 900, maxY: y + 900 });
  let compared = 0;
  for (const field of near.slice(2, 6)) {
    const truth = makeTruth(world, field);
    if (truth === null) continue;
    const wanted = findSeasons({ firstDay: FIRST, values: truth }, options);
    // Every seventh scene shows haze, and is known to be half clouded.
    const samples = Array.from(truth)
      .map((value, i) => ({ day: FIRST + i, value, weight: 1 }))
      .filter((_, i) => i % 5 === 0)
      .map((one, i) => (i % 7 === 3 ? { ...one, value: one.value - 0.1, weight: 0.5 } : one));
    const curve = smoothSeries(samples);
    const found = findSeasons(curve!, options);
    const show = (seasons: typeof found): string =>
      seasons
        .map(({ startDay, endDay }) => `${startDay && toDate(startDay)} to ${endDay && toDate(endDay)}`)
        .join(', ');
    const text = `field ${field.id}: ${show(found)}; the world has ${show(wanted)}`;
    assert.equal(found.length, wanted.length, text);
    for (const [i, season] of wanted.entries()) {
      for (const name of ['startDay', 'endDay'] as const) {
        const [own, truly] = [found[i]![name], season[name]];
        // A season at the edge may be open in one of them.
        if (own === null || truly === null) continue;
        assert.ok(Math.abs(own - truly) <= SLACK_DAYS, text);
        compared++;
      }
    }
  }
  assert.ok(compared >= 10, `${compared} dates`);
});
