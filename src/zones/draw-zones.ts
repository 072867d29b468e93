/** From layers of values to zones with outlines and numbers: pure, and the work of a thread. */
import type { WantedGround } from '../areas/index.ts';
import { overlay } from '../areas/index.ts';
import type { Grid, MultiPolygonGeometry } from '../geo/index.ts';
import { areaKm2 } from '../geo/index.ts';
import type { Corner, Patch } from '../numbers/index.ts';
import { summarize, tracePatches } from '../numbers/index.ts';
import { GROUND_BLOCK_PX, makePixelHectares, makeToLonLat } from '../zonal/measuring.ts';
import type { FieldMask, ZoneMethod } from './classify.ts';
import { classify, fillNearest } from './classify.ts';
import type { Layer } from './combine-layers.ts';
import { combineLayers } from './combine-layers.ts';
import { unsupported } from './errors.ts';
import { simplifyPatches } from './simplify-patches.ts';

/** What is drawn. */
export interface ZonesRequest {
  readonly layers: readonly Layer[];
  /** The pixels of the layers. */
  readonly grid: Grid;
  /** 1 for pixels of the field. */
  readonly inside: Uint8Array;
  readonly count: number;
  readonly method: ZoneMethod;
  readonly smoothing: number;
  readonly minHectares: number;
  /** In pixels; 0 keeps the edges of the pixels. */
  readonly tolerancePx: number;
  /** Zones fill this area and end at its border; null for zones of whole pixels. */
  readonly border: MultiPolygonGeometry | null;
}

/** One zone: all ground of similar values, in one patch or several. */
export interface Zone {
  /** From 1, for the lowest values. */
  readonly number: number;
  readonly geometry: MultiPolygonGeometry;
  readonly patches: number;
  readonly hectares: number;
  /** The percentage of the field. */
  readonly percent: number;
  /** Of the means of the scenes; null in a zone whose pixels were all filled from others. */
  readonly values: {
    readonly count: number;
    readonly mean: number;
    readonly min: number;
    readonly max: number;
    readonly std: number;
    readonly median: number;
  } | null;
  /** The mean of the standardised values: 0 for the field, in deviations of its pixels. */
  readonly score: number | null;
}

/** Fewer pixels of the field with a value leave too much to guess. */
const MIN_KNOWN = 0.5;

/** Divides the field. Zones that no pixel is left of after smoothing are not listed. */
export function drawZones(request: ZonesRequest): readonly Zone[] {
  const { layers, grid, inside, count, method, smoothing, minHectares, tolerancePx, border } = request;
  const field: FieldMask = { width: grid.width, height: grid.height, inside };
  const { scores, values } = combineLayers(layers);
  refuseUnknown(scores, inside);
  const toLonLat = makeToLonLat(grid);
  const [blockColumn, blockRow] = [grid.width, grid.height].map((side) =>
    Math.floor(side / 2 / GROUND_BLOCK_PX),
  );
  const pixelHectares = makePixelHectares(grid)(blockColumn ?? 0, blockRow ?? 0);
  const minPixels = Math.ceil(minHectares / pixelHectares);
  const classes = classify(scores, field, { count, method, smoothing, minPixels });
  const patches = trace({ ...field, classes }, tolerancePx);
  const outlines =
    border === null ? null : cutZones({ ...field, classes }, { border, count, tolerancePx, toLonLat });
  const total = inside.reduce((sum, one) => sum + one, 0);
  return Array.from({ length: count }, (_, i) => i + 1).flatMap((number): Zone[] => {
    const own = patches.filter((patch) => patch.class === number);
    if (own.length === 0) return [];
    const geometry = outlines?.[number - 1] ?? toGeometry(own, toLonLat);
    if (geometry.coordinates.length === 0) return [];
    const mask = classes.map((zone) => Number(zone === number));
    const summary = summarize(values, mask);
    const pixels = own.reduce((sum, patch) => sum + patch.pixels, 0);
    return [
      {
        number,
        geometry,
        patches: geometry.coordinates.length,
        hectares: 100 * areaKm2(geometry),
        percent: (100 * pixels) / total,
        values:
          summary === null
            ? null
            : {
                count: summary.count,
                mean: summary.average,
                min: summary.min,
                max: summary.max,
                std: summary.std,
                median: summary.median,
              },
        score: summarize(scores, mask)?.average ?? null,
      },
    ];
  });
}

function refuseUnknown(scores: Float32Array, inside: Uint8Array): void {
  let [known, all] = [0, 0];
  for (const [i, score] of scores.entries()) {
    if (inside[i] !== 1) continue;
    all++;
    if (!Number.isNaN(score)) known++;
  }
  if (known < MIN_KNOWN * all) {
    const percent = Math.round((100 * known) / all);
    throw unsupported(
      'too-few-clear',
      `Only ${percent} % of the area is clear in the scenes; zones need ${100 * MIN_KNOWN} %. Use more scenes.`,
    );
  }
}

/** The outline of patches on the ground. */
const toGeometry = (
  patches: readonly Patch[],
  toLonLat: (corner: Corner) => [number, number],
): MultiPolygonGeometry => ({
  type: 'MultiPolygon',
  coordinates: patches.map(({ rings }) => rings.map((ring) => ring.map(toLonLat))),
});

interface CutRequest {
  readonly border: MultiPolygonGeometry;
  readonly count: number;
  readonly tolerancePx: number;
  readonly toLonLat: (corner: Corner) => [number, number];
}

/** Pixels around the map: what a border passes outside of the pixels that a field has. */
const MARGIN_PX = 2;

/**
 * Zones that end at the border of the field, and leave nothing of it out: pixels whose centres lie outside take the nearest
 * zone, and all zones are cut together, so that they share their borders corner by corner.
 */
function cutZones(
  { width, height, classes }: FieldMask & { readonly classes: Uint8Array },
  { border, count, tolerancePx, toLonLat }: CutRequest,
): readonly MultiPolygonGeometry[] {
  const [wide, high] = [width + 2 * MARGIN_PX, height + 2 * MARGIN_PX];
  const spread = new Uint8Array(wide * high);
  for (let row = 0; row < height; row += 1)
    spread.set(classes.subarray(row * width, (row + 1) * width), (row + MARGIN_PX) * wide + MARGIN_PX);
  const map = { width: wide, height: high, inside: new Uint8Array(wide * high).fill(1) };
  const patches = trace({ ...map, classes: fillNearest(spread, map) }, tolerancePx);
  const toGround = ([column, row]: Corner): [number, number] =>
    toLonLat([column - MARGIN_PX, row - MARGIN_PX]);
  const zones = Array.from({ length: count }, (_, i) =>
    toGeometry(
      patches.filter((patch) => patch.class === i + 1),
      toGround,
    ),
  );
  return overlay(
    [border, ...zones],
    zones.map(
      (_, i): WantedGround =>
        (covers) =>
          covers[0] !== 0 && covers[i + 1] !== 0,
    ),
  );
}

function trace(map: FieldMask & { readonly classes: Uint8Array }, tolerancePx: number): readonly Patch[] {
  const work = tracePatches(map);
  let step = work.next();
  while (!step.done) step = work.next();
  return simplifyPatches(step.value, map, tolerancePx);
}
