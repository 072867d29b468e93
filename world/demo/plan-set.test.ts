import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { makeClimate } from '../climate/climate.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { toCbers4Scene } from '../products/cbers4/plan.ts';
import type { LocalWindow } from '../products/local-window.ts';
import { toNaipImage } from '../products/naip/plan.ts';
import { checkPlan } from '../products/sentinel2/plan.ts';
import { DAY_MS, fire, flood, frame, toDay, worldYears } from '../setting.ts';
import { findShot } from './ask-truth.ts';
import type { DemoPart } from './demo-part.ts';
import { isScene } from './demo-part.ts';
import { planSet } from './plan-set.ts';

const climate = makeClimate(WORLD_SEED);
const sets = { standard: planSet('standard', climate), full: planSet('full', climate) };

/** What a part is a picture of; null if it is not a picture. */
function toDataset({ kind, plan }: DemoPart): string | null {
  const named = { 'sentinel2-l1c': 'sentinel2', 'sentinel2-l2a': 'sentinel2l2a' } as const;
  if (kind === 'landsat') return plan.mission;
  if (kind === 'cbers4') return `cbers4${plan.camera.toLowerCase()}`;
  if (kind === 'terrain' || kind === 'weather') return null;
  return kind === 'sentinel2-l1c' || kind === 'sentinel2-l2a' ? named[kind] : kind;
}

/** The ground that a part shows; null where it is not said. */
function toWindow({ kind, plan }: DemoPart): LocalWindow | null {
  if (kind === 'sentinel2-l1c' || kind === 'sentinel2-l2a') {
    const { x, y, width, height } = plan.window;
    return { x, y, widthM: width, heightM: height };
  }
  if (kind === 'naip') return toNaipImage(plan).window;
  return plan !== null && 'window' in plan ? (plan.window ?? null) : null;
}

/** The demo has a scene of each of them; a sensor may be known without a demo product. */
const DATASETS = [
  ...['sentinel1', 'sentinel2', 'sentinel2l2a', 'modis', 'naip'],
  ...['landsat4mss', 'landsat4tm', 'landsat5mss', 'landsat5tm', 'landsat7', 'landsat8', 'landsat9'],
  ...['cbers4mux', 'cbers4awfi', 'cbers4pan10m', 'cbers4pan5m'],
];

/** What makes the view id of a scene, by the grammar of its sensor. */
function toIdentity(part: DemoPart): string {
  const { kind, plan } = part;
  if (kind === 'terrain' || kind === 'weather') return kind;
  const day = Math.floor(plan.atMs / DAY_MS);
  if (kind === 'sentinel2-l1c' || kind === 'sentinel2-l2a') return `${kind} ${day} ${plan.sequence}`;
  if (kind === 'naip') return [...toNaipImage(plan).folders, toNaipImage(plan).name].join('/');
  if (kind === 'cbers4') return toCbers4Scene(plan).name;
  return `${toDataset(part)} ${day}`;
}

/** The scenes over the series' ground, newest first; the set's first scene is one of them. */
const seriesOf = (parts: readonly DemoPart[]) =>
  parts
    .filter((part) => part.kind === 'sentinel2-l2a' && part.plan.sequence === 0)
    .toSorted((a, b) => (b.plan as { atMs: number }).atMs - (a.plan as { atMs: number }).atMs);

for (const [size, parts] of Object.entries(sets)) {
  test(`${size}: every sensor of the demo has a scene, and there are terrain and weather`, () => {
    const datasets = new Set(parts.map(toDataset).filter((dataset) => dataset !== null));
    assert.deepEqual(datasets, new Set(DATASETS));
    for (const dataset of DATASETS) assert.ok(sensorByDataset(dataset) !== null, dataset);
    for (const kind of ['terrain', 'weather']) {
      assert.equal(parts.filter((part) => part.kind === kind).length, 1);
    }
    assert.equal(parts.filter(isScene).length, parts.length - 2);
  });

  test(`${size}: no two parts have a key or a view id in common`, () => {
    for (const name of [(part: DemoPart) => part.key, toIdentity]) {
      const names = parts.map(name);
      const repeated = names.filter((one, i) => names.indexOf(one) !== i);
      assert.deepEqual(repeated, []);
    }
    for (const { key, cost } of parts) {
      assert.match(key, /^[a-z0-9][a-z0-9-]*$/, 'the name of a folder');
      assert.ok(cost > 0 && Number.isFinite(cost));
    }
  });

  test(`${size}: plans are plain JSON, and everything they show is inside the world`, () => {
    for (const part of parts) {
      assert.deepEqual(JSON.parse(JSON.stringify(part)), part, `${part.key} can go to a thread`);
      if (part.kind === 'sentinel2-l1c' || part.kind === 'sentinel2-l2a') checkPlan(part.plan);
      const window = toWindow(part);
      if (window === null) continue;
      const { x, y, widthM, heightM } = window;
      const isInside = x >= 0 && y >= 0 && x + widthM <= frame.sizeM && y + heightM <= frame.sizeM;
      assert.ok(isInside && widthM > 0 && heightM > 0, `${part.key}: ${JSON.stringify(window)}`);
    }
  });

  test(`${size}: the series has a clear enough scene about every two weeks for two years`, () => {
    const days = seriesOf(parts).map(({ plan }) => Math.floor((plan as { atMs: number }).atMs / DAY_MS));
    const [first, last] = [toDay(worldYears.first), toDay(worldYears.last)];
    // the scene that the demo begins with stands for the series' of its day
    const firstDay = Math.floor((parts[0]!.plan as { atMs: number }).atMs / DAY_MS);
    assert.ok(days.length >= 48 && days.length <= 56, `${days.length} scenes`);
    assert.ok(days[0]! <= last && last - days[0]! <= 14, 'the newest comes first');
    assert.ok(days.at(-1)! >= first && days.at(-1)! - first <= 19, 'two years back');
    for (const [i, day] of days.entries()) {
      const gap = i === 0 ? 14 : days[i - 1]! - day;
      // of each pair of passes, five days apart, one is taken
      const holdsFirst = i > 0 && day < firstDay && firstDay < days[i - 1]!;
      assert.ok([9, 14, 19].includes(gap) || (holdsFirst && gap <= 33), `${gap} days`);
    }
    const skies = seriesOf(parts).map(({ plan }) => (plan as { sky: { opaque: number } }).sky.opaque);
    assert.ok(skies.filter((opaque) => opaque < 0.1).length > 15, 'clear days');
    assert.ok(skies.filter((opaque) => opaque > 0.5).length > 5, 'cloudy days');
  });
}

test('scenes of one satellite and moment see the same clouds', () => {
  for (const parts of Object.values(sets)) {
    const skies = new Map<string, string>();
    for (const part of parts) {
      if (part.plan === null || !('sky' in part.plan)) continue;
      const { atMs, sky } = part.plan;
      const moment = `${part.kind.slice(0, 9)} ${new Date(atMs).toISOString()}`;
      const known = skies.get(moment) ?? JSON.stringify(sky);
      assert.equal(JSON.stringify(sky), known, `${part.key} at ${moment}`);
      skies.set(moment, known);
    }
  }
});

test('the series always shows the same ground', () => {
  const windows = seriesOf(sets.standard).map((part) => JSON.stringify(toWindow(part)));
  assert.equal(new Set(windows).size, 1);
});

test('a small set is one scene and the terrain, the first of the others too', () => {
  const small = planSet('small', climate);
  assert.deepEqual(
    small.map(({ kind }) => kind),
    ['sentinel2-l2a', 'terrain'],
  );
  assert.deepEqual(small, sets.standard.slice(0, 2));
  assert.equal(sets.full[1]?.kind, 'terrain');
});

test('scenes show the fire and the flood before and after', () => {
  const daysOf = (dataset: string) =>
    sets.standard
      .filter((part) => toDataset(part) === dataset)
      .map(({ plan }) => Math.floor((plan as { atMs: number }).atMs / DAY_MS));
  for (const dataset of ['sentinel2', 'sentinel2l2a']) {
    const burnt = sets.standard.filter((part) => {
      const window = toWindow(part);
      const seesFire =
        window !== null &&
        window.x < fire.x &&
        window.x + window.widthM > fire.x &&
        window.y < fire.y &&
        window.y + window.heightM > fire.y;
      return seesFire && toDataset(part) === dataset;
    });
    const days = burnt.map(({ plan }) => Math.floor((plan as { atMs: number }).atMs / DAY_MS));
    assert.ok(days.some((day) => day < fire.fromDay && day > fire.fromDay - 30));
    assert.ok(days.some((day) => day > fire.burntDay && day < fire.burntDay + 30));
  }
  assert.ok(daysOf('sentinel1').includes(flood.peakDay));
  assert.ok(daysOf('sentinel1').some((day) => day < flood.fromDay));
});

test('a scene is found by its dataset and day, with its sky', () => {
  for (const part of sets.standard.filter(isScene)) {
    const { atMs } = part.plan as { atMs: number };
    const shot = findShot(sets.standard, {
      dataset: toDataset(part)!,
      day: Math.floor(atMs / DAY_MS),
      point: middleOf(part),
    });
    assert.ok(shot !== null, part.key);
    const hasSky = part.plan !== null && 'sky' in part.plan;
    assert.equal(shot.sky === null, !hasSky, part.key);
  }
  assert.equal(
    findShot(sets.standard, { dataset: 'sentinel2', day: toDay('1999-01-01'), point: { x: 1, y: 1 } }),
    null,
  );
});

/** A location that its scene surely shows. */
function middleOf({ plan }: DemoPart): { readonly x: number; readonly y: number } {
  if (plan !== null && 'cropM' in plan) return plan;
  if (plan === null || !('window' in plan) || plan.window === undefined) return { x: 55_000, y: 55_000 };
  const { window } = plan;
  const [width, height] =
    'widthM' in window ? [window.widthM, window.heightM] : [window.width, window.height];
  return { x: window.x + width / 2, y: window.y + height / 2 };
}

test('a scene that does not show the point is not found', () => {
  const [first] = sets.standard;
  assert.ok(first?.kind === 'sentinel2-l2a');
  const question = { dataset: 'sentinel2l2a', day: Math.floor(first.plan.atMs / DAY_MS) };
  assert.notEqual(findShot([first], { ...question, point: middleOf(first) }), null);
  assert.equal(findShot([first], { ...question, point: { x: 100, y: 100 } }), null);
});
