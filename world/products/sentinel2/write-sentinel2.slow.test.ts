import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSwathError } from '../../../src/errors.ts';
import { makeJp2Encoder } from '../../../src/formats/jp2/index.ts';
import type { Ring } from '../../../src/geo/index.ts';
import { geometryBounds, isPointInArea } from '../../../src/geo/index.ts';
import { parseCloudPolygons } from '../../../src/ingest/families/testing/parse-cloud-polygons.ts';
import type { TestFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { ingestOne, withFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import type { Exposure } from '../../light/exposure.ts';
import { expose } from '../../light/index.ts';
import { sunAt } from '../../light/sun.ts';
import { epsg, frame } from '../../setting.ts';
import { makeFakeWorld } from '../../testing/fake-world.ts';
import { readImage } from '../../testing/read-image.ts';
import { makeSurveyCache } from '../product-deps.ts';
import { listBands } from './band-groups.ts';
import type { Sentinel2L1cPlan, Sentinel2L2aPlan, Sentinel2Plan } from './plan.ts';
import { sceneClasses } from './scene-classes.ts';
import { writeSentinel2L1c } from './write-sentinel2-l1c.ts';
import { writeSentinel2L2a } from './write-sentinel2-l2a.ts';

const world = makeFakeWorld();
const window = { x: 30_000, y: 24_000, width: 3_600, height: 2_400 };
const base: Sentinel2L1cPlan & Sentinel2L2aPlan = {
  satellite: 'S2A',
  atMs: Date.UTC(2025, 5, 20, 19, 15, 23, 24),
  sequence: 0,
  baseline: '05.11',
  seed: 5,
  layout: 'bucket',
  window,
  sky: { seed: 2, opaque: 0.35, cirrus: 0.15, haze: 0.2 },
};
const edge = { keeps: 'west', topX: 36_000, bottomX: 22_000 } as const;

const jp2Encoder = makeJp2Encoder();
const depsOf = (folder: TestFolder) => ({ world, directory: folder.root, jp2Encoder });

/** What an ideal instrument sees on a grid of the plan. */
function exposeGrid(
  plan: Sentinel2Plan,
  pixelM: number,
  level: 'top' | 'surface',
  names?: readonly string[],
): Exposure {
  const [width, height] = [plan.window.width / pixelM, plan.window.height / pixelM];
  const toCentre = (start: number, i: number) => start + (i + 0.5) * pixelM;
  const locations = {
    width,
    height,
    sideM: pixelM,
    x: new Float64Array(width * height).map((_, i) => toCentre(plan.window.x, i % width)),
    y: new Float64Array(width * height).map((_, i) => toCentre(plan.window.y, Math.floor(i / width))),
  };
  const bands = listBands('sentinel2').filter(({ name }) => names?.includes(name) ?? true);
  const survey = world.ground.survey(locations);
  return expose(world, { survey, atMs: plan.atMs, bands, sky: plan.sky, level });
}

/** Mean and standard deviation of what calibrated pixels differ from the truth, in deviations of the stated noise. */
function compare(stored: ArrayLike<number>, truth: Float32Array, band: string, offset: number) {
  const { noise } = listBands('sentinel2').find(({ name }) => name === band)!;
  let [count, sum, squares, worst] = [0, 0, 0, 0];
  for (let i = 0; i < stored.length; i++) {
    // 1 and the largest number stand for what is beyond them
    if (stored[i]! <= 1 || stored[i] === 32_767) continue;
    const sigma = Math.sqrt(noise.dark ** 2 + noise.shot * Math.max(0, truth[i]!) + 1e-8 / 12);
    const off = (stored[i]! * 1e-4 + offset - truth[i]!) / sigma;
    count++;
    sum += off;
    squares += off * off;
    worst = Math.max(worst, Math.abs(off));
  }
  return { share: count / stored.length, mean: sum / count, deviation: Math.sqrt(squares / count), worst };
}

function assertTrue(found: ReturnType<typeof compare>, what: string): void {
  assert.ok(Math.abs(found.mean) < 0.1, `${what}: mean ${found.mean}`);
  assert.ok(found.deviation > 0.9 && found.deviation < 1.1, `${what}: deviation ${found.deviation}`);
  assert.ok(found.worst < 4.5, `${what}: worst ${found.worst}`);
}

/** Corners of the window in longitudes and latitudes. */
function toBox(): { west: number; south: number; east: number; north: number } {
  const { forward } = makeProjection(epsg, 4326);
  const [west, north] = [frame.west + window.x, frame.north - window.y];
  const corners = [west, west + window.width].flatMap((x) =>
    [north, north - window.height].map((y) => forward(x, y)),
  );
  const [lons, lats] = [corners.map(([lon]) => lon), corners.map(([, lat]) => lat)];
  return {
    west: Math.min(...lons),
    south: Math.min(...lats),
    east: Math.max(...lons),
    north: Math.max(...lats),
  };
}

function assertBox(found: ReturnType<typeof geometryBounds>): void {
  for (const [side, value] of Object.entries(toBox())) {
    assert.ok(Math.abs(found[side as 'west'] - value) < 1e-5, `${side} ${found[side as 'west']} ${value}`);
  }
}

test('L1C in the bucket layout is one scene, as planned, and its pixels are the exposure', () =>
  withFolder(async (folder) => {
    await writeSentinel2L1c(base, depsOf(folder));
    const scene = await ingestOne(folder, 'S2/10/U/EU/2025/6/20/0');
    const sun = sunAt(base.atMs);
    assert.equal(scene.acquiredAt, '2025-06-20T19:15:23.024Z');
    assert.match(scene.productId ?? '', /^S2A_MSIL1C_20250620T190920_N0511_R013_T10UEU_20250620T\d{6}$/);
    assert.deepEqual([scene.sunElevationDeg, scene.sunAzimuthDeg], [sun.elevationDeg, sun.azimuthDeg]);
    assert.equal(scene.coveragePercent, 100);
    assertBox(geometryBounds(scene.footprint));
    const flags = exposeGrid(base, 60, 'top');
    const cloudy = flags.opaque.reduce((sum, flag, i) => sum + (flag || flags.cirrus[i]! ? 1 : 0), 0);
    assert.ok(cloudy > 0 && cloudy < flags.opaque.length, String(cloudy));
    assert.equal(scene.cloudPercent, Number(((100 * cloudy) / flags.opaque.length).toFixed(6)));
    assert.equal(scene.cloudMask?.kind, 'flags');
    assert.equal(Object.keys(scene.assets).length, 13);

    const path = join(folder.root, 'tiles/10/U/EU/2025/6/20/0');
    for (const [name, pixelM] of [
      ['B04', 10],
      ['B08', 10],
      ['B8A', 20],
      ['B12', 20],
      ['B01', 60],
    ] as const) {
      const { scale, offset, transform } = scene.assets[name]!;
      assert.deepEqual([scale, offset], [1e-4, -0.1]);
      const image = await readImage(join(path, `${name}.jp2`));
      assert.deepEqual(
        [image.epsg, image.transform, image.width, image.height],
        [
          epsg,
          [frame.west + window.x, pixelM, 0, frame.north - window.y, 0, -pixelM],
          window.width / pixelM,
          window.height / pixelM,
        ],
      );
      assert.deepEqual(transform, image.transform);
      const truth = exposeGrid(base, pixelM, 'top', [name]).planes[0]!;
      assertTrue(compare(image.bands[0]!, truth, name, -0.1), name);
    }
    const mask = await readImage(join(path, 'qi/MSK_CLASSI_B00.jp2'));
    assert.deepEqual(mask.bands[0], flags.opaque);
    assert.deepEqual(
      mask.bands[1],
      flags.cirrus.map((flag, i) => (flags.opaque[i] === 1 ? 0 : flag)),
    );
    assert.ok(mask.bands[2]!.some((flag) => flag === 1));
    const preview = await readFile(join(path, 'preview.jpg'));
    assert.deepEqual([...preview.subarray(0, 3)], [0xff, 0xd8, 0xff]);
  }));

/** Whether a line to the east crosses the rings an odd number of times; they run along the sides of pixels. */
const isInside = (rings: readonly Ring[], x: number, y: number): boolean =>
  rings.flatMap((ring) =>
    ring.slice(1).filter(([toX, toY], i) => {
      const [fromX, fromY] = ring[i]!;
      return fromX === toX && fromX > x && Math.min(fromY, toY) < y && Math.max(fromY, toY) > y;
    }),
  ).length %
    2 ===
  1;

test('L1C before baseline 04.00 has no offset, and clouds as polygons that fill the mask', () =>
  withFolder(async (folder) => {
    const plan = { ...base, baseline: '02.09', swathEdge: edge };
    await writeSentinel2L1c(plan, depsOf(folder));
    const scene = await ingestOne(folder, 'S2/10/U/EU/2025/6/20/0');
    assert.equal(scene.cloudMask?.kind, 'polygons');
    assert.equal(scene.assets.B04?.offset, 0);
    const path = join(folder.root, 'tiles/10/U/EU/2025/6/20/0');
    const gml = await readFile(join(path, 'qi/MSK_CLOUDS_B00.gml'), 'utf8');
    const { epsg: gmlEpsg, polygons } = parseCloudPolygons(gml, 'clouds');
    assert.equal(gmlEpsg, epsg);
    const truth = exposeGrid(plan, 60, 'top');
    const image = await readImage(join(path, 'B01.jp2'));
    const stored = image.bands[0]!;
    const measured = [...stored].filter((number) => number !== 0).length;
    assert.ok(measured > 0 && measured < stored.length);
    assert.equal(scene.coveragePercent, Number(((100 * measured) / stored.length).toFixed(2)));
    let cloudy = 0;
    for (let i = 0; i < stored.length; i++) {
      const x = frame.west + window.x + ((i % image.width) + 0.5) * 60;
      const y = frame.north - window.y - (Math.floor(i / image.width) + 0.5) * 60;
      const isUnder = (kind: string) =>
        polygons.some((polygon) => polygon.kind === kind && isInside(polygon.rings, x, y));
      const isOpaque = stored[i] !== 0 && truth.opaque[i] === 1;
      const isCirrus = stored[i] !== 0 && !isOpaque && truth.cirrus[i] === 1;
      assert.deepEqual([isUnder('opaque'), isUnder('cirrus')], [isOpaque, isCirrus]);
      if (isOpaque || isCirrus) cloudy++;
    }
    assert.equal(scene.cloudPercent, Number(((100 * cloudy) / measured).toFixed(6)));
    // what was measured and what the footprint holds is the same
    const { forward } = makeProjection(epsg, 4326);
    const wrong = [...stored].filter((number, i) => {
      const x = frame.west + window.x + ((i % image.width) + 0.5) * 60;
      const y = frame.north - window.y - (Math.floor(i / image.width) + 0.5) * 60;
      return isPointInArea(forward(x, y), scene.footprint) !== (number !== 0);
    });
    assert.deepEqual(wrong, []);
  }));

test('L1C as SAFE is the same scene, with its offset stated in the product metadata', () =>
  withFolder(async (folder) => {
    await writeSentinel2L1c({ ...base, satellite: 'S2B', layout: 'safe' }, depsOf(folder));
    const scene = await ingestOne(folder, 'S2/10/U/EU/2025/6/20/0');
    assert.match(scene.productId ?? '', /^S2B_MSIL1C_/);
    assert.equal(scene.fields.satelliteName, 'Sentinel-2B');
    assert.deepEqual([scene.assets.B12?.scale, scene.assets.B12?.offset], [1e-4, -0.1]);
    assert.deepEqual([scene.cloudMask?.kind, Object.keys(scene.assets).length], ['flags', 13]);
    assertBox(geometryBounds(scene.footprint));
  }));

test('L2A as COGs has surface reflectance, classes from the truth, and consistent coverage and clouds', () =>
  withFolder(async (folder) => {
    const plan: Sentinel2L2aPlan = { ...base, swathEdge: edge };
    await writeSentinel2L2a(plan, depsOf(folder));
    const scene = await ingestOne(folder, 'S2L2A/10/U/EU/2025/6/20/0');
    assert.equal(scene.acquiredAt, '2025-06-20T19:15:23.024Z');
    assert.deepEqual(scene.cloudMask, { kind: 'classes', band: 'SCL' });
    assert.equal(Object.keys(scene.assets).length, 13);
    assert.equal(scene.sunElevationDeg, sunAt(plan.atMs).elevationDeg);
    const path = join(folder.root, 'S2A_10UEU_20250620_0_L2A');
    const classes = (await readImage(join(path, 'SCL.tif'))).bands[0]!;
    const truth = exposeGrid(plan, 20, 'surface');
    const { painted } = truth;
    const seen = new Set<string>();
    const counts = { measured: 0, cloudy: 0 };
    classes.forEach((number, i) => {
      const name = sceneClasses[number]!;
      seen.add(name);
      if (name === 'nodata') return;
      counts.measured++;
      if (/clouds|cirrus/.test(name)) counts.cloudy++;
      assert.equal(/clouds/.test(name), truth.opaque[i] === 1);
      if (truth.opaque[i] === 1) return;
      assert.equal(name === 'thin_cirrus', truth.cirrus[i] === 1);
      if (truth.cirrus[i] === 1) return;
      assert.equal(name === 'cloud_shadow', truth.shadow[i] === 1);
      if (truth.shadow[i] === 1) return;
      if (name === 'snow_ice') assert.equal(painted.snow[i], 1);
      if (name === 'water') assert.equal(painted.water[i], 1);
      if (name === 'vegetation') assert.ok(painted.green[i]! > 0.3);
      if (name === 'not_vegetated') assert.ok(painted.green[i]! < 0.4);
    });
    for (const name of ['nodata', 'vegetation', 'not_vegetated', 'water', 'snow_ice', 'high_proba_clouds']) {
      assert.ok(seen.has(name), `${name} is missing of ${[...seen]}`);
    }
    assert.ok(Math.abs(scene.cloudPercent! - (100 * counts.cloudy) / counts.measured) < 1e-5);
    assert.ok(Math.abs(scene.coveragePercent! - (100 * counts.measured) / classes.length) < 0.01);
    for (const name of ['B03', 'B08', 'B11']) {
      const { bands, width } = await readImage(join(path, `${name}.tif`));
      const pixelM = window.width / width;
      const { scale, offset, nodata } = scene.assets[name]!;
      assert.deepEqual([scale, offset, nodata], [1e-4, 0, 0]);
      const found = compare(bands[0]!, exposeGrid(plan, pixelM, 'surface', [name]).planes[0]!, name, 0);
      assertTrue(found, name);
    }
  }));

test('if the offset was left in an L2A product, the item and the pixels show it', () =>
  withFolder(async (folder) => {
    await writeSentinel2L2a({ ...base, isOffsetApplied: false }, depsOf(folder));
    const scene = await ingestOne(folder, 'S2L2A/10/U/EU/2025/6/20/0');
    assert.equal(scene.assets.B04?.offset, -0.1);
    const { bands } = await readImage(join(folder.root, 'S2A_10UEU_20250620_0_L2A/B04.tif'));
    const found = compare(bands[0]!, exposeGrid(base, 10, 'surface', ['B04']).planes[0]!, 'B04', -0.1);
    assertTrue(found, 'B04');
    assert.equal(scene.coveragePercent, 100);
  }));

test('coarser pixels give all bands one size, at the planned place', () =>
  withFolder(async (folder) => {
    const wide = { ...base, finestM: 60, window: { x: 0, y: 60_000, width: 24_000, height: 12_000 } };
    await writeSentinel2L2a(wide, depsOf(folder));
    await writeSentinel2L1c(wide, depsOf(folder));
    const scene = await ingestOne(folder, 'S2L2A/10/U/EU/2025/6/20/0');
    for (const name of ['B02', 'B05', 'B01', 'SCL']) {
      assert.deepEqual(scene.assets[name]?.transform, [499_980, 60, 0, 5_340_000, 0, -60]);
    }
    assert.deepEqual(
      folder.scenes.get('S2/10/U/EU/2025/6/20/0')?.assets.B02?.transform,
      scene.assets.B02?.transform,
    );
    // two levels of one recording
    assert.equal(folder.scenes.get('S2/10/U/EU/2025/6/20/0')?.fields.processedL2A, true);
    const truth = exposeGrid(wide, 60, 'surface', ['B02']).planes[0]!;
    const { bands } = await readImage(join(folder.root, 'S2A_10UEU_20250620_0_L2A/B02.tif'));
    assertTrue(compare(bands[0]!, truth, 'B02', 0), 'B02');
  }));

async function hashFiles(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const hashes = files.map(async (file) => {
    const digest = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    return [file.slice(root.length), digest] as const;
  });
  return Object.fromEntries((await Promise.all(hashes)).sort());
}

test('the same plan gives the same bytes, with a shared survey or without', () =>
  withFolder(async (first) =>
    withFolder(async (second) => {
      const small = { ...base, window: { ...window, width: 1_200, height: 600 } };
      await writeSentinel2L1c(small, depsOf(first));
      await writeSentinel2L2a(small, depsOf(first));
      let made = 0;
      const ground = {
        ...world.ground,
        survey: (locations: Parameters<typeof world.ground.survey>[0]) => {
          made++;
          return world.ground.survey(locations);
        },
      };
      // and with an encoder of its own
      const surveys = makeSurveyCache(1e6);
      const deps = { world: { ...world, ground }, directory: second.root, surveys };
      await writeSentinel2L1c(small, deps);
      const fractions: number[] = [];
      await writeSentinel2L2a(small, { ...deps, onProgress: (fraction) => fractions.push(fraction) });
      // a survey for each size of pixels
      assert.equal(made, 3);
      assert.deepEqual(await hashFiles(second.root), await hashFiles(first.root));
      assert.equal(fractions.at(-1), 1);
      assert.deepEqual(
        fractions,
        fractions.toSorted((a, b) => a - b),
      );
    }),
  ));

test('invalid plans are refused, and a stop leaves no half-made files', () =>
  withFolder(async (folder) => {
    const refused = async (given: Partial<Sentinel2L1cPlan>, code: string) => {
      for (const write of [writeSentinel2L1c, writeSentinel2L2a]) {
        const writing = write({ ...base, ...given }, depsOf(folder));
        await assert.rejects(writing, (error) => isSwathError(error) && error.code === code);
      }
    };
    await refused({ window: { ...window, width: 610 } }, 'bad-window');
    await refused({ window: { ...window, x: 108_000 } }, 'bad-window');
    await refused({ finestM: 25 }, 'bad-pixel-size');
    await refused({ baseline: '5.11' }, 'bad-baseline');
    await refused({ swathEdge: { keeps: 'west', topX: 0, bottomX: 0 } }, 'bad-window');
    assert.deepEqual(await readdir(folder.root), []);
    const signal = AbortSignal.abort();
    await assert.rejects(
      writeSentinel2L2a(base, { ...depsOf(folder), signal }),
      (error) => isSwathError(error) && error.tag === 'cancelled',
    );
    await assert.rejects(
      writeSentinel2L1c(base, { ...depsOf(folder), signal }),
      (error) => isSwathError(error) && error.tag === 'cancelled',
    );
    assert.deepEqual(await hashFiles(folder.root), {});
  }));
