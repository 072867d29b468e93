/** A field of the demo world that changes between two clear scenes of the service, and by how much. */
import assert from 'node:assert/strict';
import { sensors } from '../../src/sensors/index.ts';
import { colorAt, parseLegend } from '../../web/api/legend.ts';
import type { Outline } from '../../web/scenes/footprint.ts';
import { toBox } from '../../web/scenes/footprint.ts';
import { en } from '../../web/texts/en.ts';
import { findTruth, noonOf, toLocalPoint } from '../../world/demo/truth.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';
import { openWorld } from '../world/shared-world.ts';
import type { Rgb } from './map-pixels.ts';

/** A scene as the search tells of it. */
export interface FoundScene {
  readonly sceneID: string;
  readonly view_id: string;
  readonly date: string;
  readonly dataGeometry: Outline;
}

/** Where it is, the two scenes, and the truth on both days. */
export interface ChangingField {
  readonly lon: number;
  readonly lat: number;
  readonly before: FoundScene;
  readonly after: FoundScene;
  readonly ndviBefore: number;
  readonly ndviAfter: number;
}

const DATASET = 'sentinel2l2a';
const DAY_MS = 86_400_000;
/** A change that no haze or interpolation makes. */
const MIN_CHANGE = 0.25;
/** Fields are larger than this all around, so that pixels next to the point have its value too. */
const MARGIN_DEG = 0.0006;
const STEPS = 24;

async function findClearScenes(url: string): Promise<readonly FoundScene[]> {
  const answer = await fetch(`${url}/api/lms/search/v2/${DATASET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({ search: { cloudCoverage: { to: 0.5 } }, sort: { date: 'asc' }, limit: 100 }),
  });
  return ((await answer.json()) as { results: FoundScene[] }).results;
}

/** Finds one; the world tells what grows there. */
export async function findChangingField(url: string): Promise<ChangingField> {
  const world = await openWorld();
  const sensor = sensors.find(({ dataset }) => dataset === DATASET);
  assert.ok(sensor);
  const truthAt = (lon: number, lat: number, date: string) =>
    findTruth(world, toLocalPoint(lon, lat), { sensor, atMs: noonOf(Date.parse(date) / DAY_MS), sky: null });
  const series = Object.values(
    Object.groupBy(await findClearScenes(url), ({ dataGeometry }) => JSON.stringify(dataGeometry)),
  )
    .map((scenes = []) => scenes)
    .toSorted((a, b) => b.length - a.length)[0];
  const [before, after] = [series?.[0], series?.[Math.floor((series?.length ?? 0) / 2)]];
  assert.ok(before && after && before !== after, 'two clear scenes of one rectangle');
  const [west, south, east, north] = toBox(after.dataGeometry);
  for (let i = 0; i < STEPS * STEPS; i++) {
    const lon = west + (east - west) * (0.3 + (0.4 * (i % STEPS)) / STEPS);
    const lat = south + (north - south) * (0.3 + (0.4 * Math.floor(i / STEPS)) / STEPS);
    const [was, is] = [truthAt(lon, lat, before.date), truthAt(lon, lat, after.date)];
    const [ndviBefore = 0, ndviAfter = 0] = [was.indices.NDVI, is.indices.NDVI];
    if (is.field === null || Math.abs(ndviAfter - ndviBefore) < MIN_CHANGE) continue;
    const hasEdge = [-1, 1].some((x) =>
      [-1, 1].some((y) => {
        const near = truthAt(lon + x * 1.5 * MARGIN_DEG, lat + y * MARGIN_DEG, after.date);
        return near.field?.id !== is.field?.id;
      }),
    );
    if (!hasEdge) return { lon, lat, before, after, ndviBefore, ndviAfter };
  }
  throw new Error(`No field changes between ${before.date} and ${after.date}.`);
}

/** A colour as a legend writes it. */
export const toRgb = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;

/** Tiles without holes are JPEG, so a colour may be off by some steps; the other date is much farther away. */
export const assertNearer = (shown: Rgb, expected: Rgb | undefined, other: Rgb | undefined): void => {
  const [near, far] = [expected, other].map((color) =>
    Math.hypot(...shown.map((value, i) => value - (color?.[i] ?? Number.NaN))),
  ) as [number, number];
  assert.ok(near < 30 && near < far / 2, `the screen shows ${shown}, not ${expected} but rather ${other}`);
};

/** The colours of the field before and after, by the legend of calibrated NDVI. */
export async function readNdviColors(url: string, field: ChangingField): Promise<readonly Rgb[]> {
  const path = `api/render/legend/${field.after.view_id}/NDVI/0/0/0?CALIBRATE=1`;
  const answer = await fetch(`${url}/${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
  const legend = parseLegend(await answer.json(), en);
  assert.ok(legend?.kind === 'bar');
  return [field.ndviBefore, field.ndviAfter].map((ndvi) => toRgb(colorAt(legend, ndvi) ?? ''));
}
