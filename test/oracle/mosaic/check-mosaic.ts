/**
 * Asks GDAL and NumPy whether mosaics are right: `npm run oracle mosaic`. Scenes of two sensors with clouds are written,
 * put together by each selection on grids of several reference systems, and exported with the index of each pixel's scene;
 * judge_mosaic.py warps the same files, masks and selects, and compares every pixel. Needs a Python with GDAL.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scene } from '../../../src/catalog/index.ts';
import type { Grid } from '../../../src/geo/index.ts';
import { tileAt, tileGrid } from '../../../src/geo/index.ts';
import type { Composition, MosaicPictureRequest, Selection } from '../../../src/mosaic/index.ts';
import { planComposedGrid } from '../../../src/mosaic/plan-scenes.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import type { ResampleMethod } from '../../../src/raster/index.ts';
import { planBandInput } from '../../../src/render/plan/calibration.ts';
import { findBand, sensorByDataset } from '../../../src/sensors/index.ts';
import type { DemoPart } from '../../../world/demo/demo-part.ts';
import { epsg, frame, spots } from '../../../world/setting.ts';
import { makeReadMosaic } from '../../support/mosaic-values.ts';
import { makeParts } from '../../world/make-products.ts';
import { findPython } from '../tiff/find-python.ts';

/** Roles that both sensors have. */
const ROLES = ['RED', 'GREEN', 'NIR'] as const;
const NDVI = '(NIR-RED)/(NIR+RED)';

const NEAREST = { kind: 'nearest', date: '2026-07-12' } as const;

const SELECTIONS: Readonly<Record<string, Selection & { readonly featherPx?: number }>> = {
  newest: { kind: 'newest' },
  oldest: { kind: 'oldest' },
  leastCloudy: { kind: 'least-cloudy' },
  nearest: NEAREST,
  newestFeathered: { kind: 'newest', featherPx: 9 },
  oldestFeathered: { kind: 'oldest', featherPx: 1 },
  leastCloudyFeathered: { kind: 'least-cloudy', featherPx: 16 },
  nearestFeathered: { ...NEAREST, featherPx: 4 },
  highest: { kind: 'highest', by: NDVI },
  lowest: { kind: 'lowest', by: NDVI },
  mean: { kind: 'mean' },
  median: { kind: 'median' },
  medoid: { kind: 'medoid' },
  stddev: { kind: 'deviation' },
  count: { kind: 'count' },
  percentile: { kind: 'percentile', percent: 20 },
};

/** Seeds of skies with holes over the town, by the day. */
const SKIES: Readonly<Record<number, number>> = {
  2: 247,
  5: 105,
  9: 112,
  12: 123,
  16: 126,
  21: 137,
  26: 148,
};
const LANDSAT_DAYS = [9, 21];

/** Windows of different days do not cover the same ground. */
function toPart(day: number): DemoPart {
  const sideM = 1_440;
  const at = { x: spots.town.x + 120 * ((day % 5) - 2), y: spots.town.y + 180 * ((day % 3) - 1) };
  const corner = (middle: number): number => Math.round((middle - sideM / 2) / 60) * 60;
  const sky = { seed: SKIES[day]!, opaque: 0.25, cirrus: 0.1, haze: 0.2 };
  const atMs = Date.parse(`2026-07-${String(day).padStart(2, '0')}T19:10:00Z`);
  const [x, y] = [corner(at.x), corner(at.y)];
  if (LANDSAT_DAYS.includes(day)) {
    const window = { x, y, widthM: sideM, heightM: sideM };
    return {
      key: `mosaic-${day}`,
      cost: 1,
      kind: 'landsat',
      plan: { mission: 'landsat8', collection: 2, atMs, window, sky },
    };
  }
  return {
    key: `mosaic-${day}`,
    cost: 1,
    kind: 'sentinel2-l2a',
    plan: {
      satellite: 'S2A',
      atMs,
      sequence: 0,
      baseline: '05.11',
      seed: day,
      sky,
      window: { x, y, width: sideM, height: sideM },
    },
  };
}

interface Case {
  readonly name: string;
  readonly grid: Grid;
  readonly method: ResampleMethod;
  readonly dilateM: number;
  readonly masked: Composition['masked'];
}

const ALL = { clouds: true, cirrus: true, shadows: true };
const NONE = { clouds: false, cirrus: false, shadows: false };

/** Grids around the town, none coarser than the scenes: how GDAL reduces is for the judge of warps. */
function listCases(): readonly Case[] {
  const [east, north] = [frame.west + spots.town.x, frame.north - spots.town.y];
  const [lon, lat] = makeProjection(epsg, 4326).forward(east, north);
  const [x, y] = makeProjection(4326, 3857).forward(lon, lat);
  const tile = (z: number): Grid => tileGrid(tileAt(z, x, y));
  const degrees: Grid = {
    epsg: 4326,
    transform: [lon - 0.012, 0.00008, 0, lat + 0.008, 0, -0.00006],
    width: 300,
    height: 260,
  };
  const utm: Grid = {
    epsg,
    transform: [Math.floor(east) - 903.7, 7.3, 0, Math.floor(north) + 899.1, 0, -7.3],
    width: 250,
    height: 247,
  };
  return [
    { name: 'tile-14-near', grid: tile(14), method: 'near', dilateM: 0, masked: ALL },
    { name: 'tile-14-bilinear', grid: tile(14), method: 'bilinear', dilateM: 0, masked: ALL },
    { name: 'tile-15-dilated', grid: tile(15), method: 'near', dilateM: 45, masked: ALL },
    { name: 'utm-near', grid: utm, method: 'near', dilateM: 0, masked: { ...ALL, shadows: false } },
    { name: 'utm-bilinear-unmasked', grid: utm, method: 'bilinear', dilateM: 0, masked: NONE },
    { name: 'degrees-near', grid: degrees, method: 'near', dilateM: 0, masked: { ...ALL, cirrus: false } },
  ];
}

/** The files of a scene: bands with what is added to their numbers, and the mask. */
function describe(scene: Scene) {
  const sensor = sensorByDataset(scene.dataset)!;
  const toFile = (band: string) => {
    const { href, bandIndex, nodata } = scene.assets[band]!;
    return { path: href, band: bandIndex + 1, nodata };
  };
  const bands = ROLES.map((role) => {
    const band = findBand(sensor, role)!.name;
    const { rule, parameters } = planBandInput({ scene, sensor, band, calibrated: false });
    if (rule !== 'plain' && rule !== 'shifted') throw new Error(`the judge does not know the rule ${rule}`);
    return { ...toFile(band), shift: parameters[0] ?? 0 };
  });
  const isLandsat = scene.dataset === 'landsat8';
  return {
    viewId: scene.viewId,
    acquiredAt: scene.acquiredAt,
    cloudPercent: scene.cloudPercent,
    bands,
    mask: { kind: isLandsat ? 'bits' : 'classes', ...toFile(isLandsat ? 'BQA' : 'SCL') },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'swath-oracle-mosaic-'));
const python = findPython();
const made = await makeParts(Object.keys(SKIES).map((day) => toPart(Number(day))));
try {
  const scenes = [...made.sceneOf.values()];
  const files = { dataDir: join(made.folder.root, 'no-such-folder'), folders: [made.folder.root] };
  const read = makeReadMosaic(scenes, files);
  const cases = listCases();
  for (const { name, grid, method, dilateM, masked } of cases) {
    mkdirSync(join(folder, name));
    for (const [selected, { featherPx = 0, ...selection }] of Object.entries(SELECTIONS)) {
      const request: MosaicPictureRequest = {
        search: {
          datasets: ['sentinel2l2a', 'landsat8'],
          period: { from: '2026-07-01', to: '2026-07-31' },
          maxCloudPercent: null,
          area: null,
        },
        composition: { selection, masked, dilateM, featherPx },
        bands: ROLES.join(),
        grid,
        options: {
          format: 'png',
          method,
          range: { min: 0, max: 1 },
          calibrated: false,
          isComposite: true,
          color: {},
          area: null,
          watermark: null,
        },
      };
      const { channels, mask, indexes, counts } = await read(request);
      const write = (part: string, values: Float32Array | Uint16Array | Uint8Array | null) => {
        if (values !== null)
          writeFileSync(join(folder, name, `${selected}.${part}`), new Uint8Array(values.buffer));
      };
      for (const [i, values] of channels.entries()) write(`channel${i}`, values);
      write('mask', mask);
      write('indexes', indexes);
      write('counts', counts);
    }
  }
  const jobs = {
    cases: cases.map((one) => ({
      ...one,
      dilatePx: planComposedGrid(one.grid, { dilateM: one.dilateM, featherPx: 0 }).dilatePx,
    })),
    selections: SELECTIONS,
    scenes: scenes.map(describe),
  };
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify(jobs));
  const script = fileURLToPath(new URL('judge_mosaic.py', import.meta.url));
  process.exitCode = spawnSync(python, ['-B', script, folder], { stdio: 'inherit' }).status ?? 1;
} finally {
  made.folder.remove();
  rmSync(folder, { recursive: true });
}
