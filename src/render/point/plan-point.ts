import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import type { BandFile } from '../../blocks/index.ts';
import type { Asset } from '../../catalog/index.ts';
import { notFound, unsupported } from '../../errors.ts';
import type { Sensor } from '../../sensors/index.ts';
import { planBandInput } from '../calibration/plan-band-input.ts';
import { fillTablePlane } from '../calibration/table-plane.ts';
import { findAsset, toBandFile } from '../inputs/band-file.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';
import type { GroundPoint, PixelPosition } from './find-pixel.ts';
import { findPixel } from './find-pixel.ts';

/** A value to be found at a point. */
export interface PointRequest {
  readonly sensor: Sensor;
  /** Physical values before band math. */
  readonly calibrated: boolean;
  readonly point: GroundPoint;
}

/** One input of the expressions at a point. */
export interface PointInput extends BandFile, Pick<InputPlan, 'rule' | 'parameters' | 'bits' | 'of'> {
  /** The value of the rule's table at the pixel; null without a table. */
  readonly second: number | null;
  /** Of the full image; null where the band has none, or where the product says that it measured nothing. */
  readonly pixel: PixelPosition | null;
}

/** Which pixel of which file, and what is computed of them; plain JSON. */
export interface PointPlan {
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly tree: TypedTree;
  /** In the order of the tree's inputs. */
  readonly inputs: readonly PointInput[];
}

/**
 * Decides which pixels a point's value is computed of: of each band the one that the point lies in, at full resolution.
 * A point that lies in none of the bands' images is outside of the scene. Pure.
 */
export function planPoint(tree: TypedTree, request: PointRequest, scene: ComparedScene): PointPlan {
  if (tree.inputs.length === 0) {
    throw unsupported('no-band', 'This expression names no band, so it has no value at a point.');
  }
  if (tree.needsWindow) {
    throw unsupported(
      'needs-window',
      'This expression depends on the pixels around it, so it has no value at a point alone.',
    );
  }
  const find = makeFindPixel(request.point);
  const found = tree.inputs.map((input) => planInput(input, request, { scene, find }));
  if (found.every(({ isInside }) => !isInside)) {
    throw notFound('outside-scene', 'This point lies outside of the scene.');
  }
  const inputs = found.map(({ input }) => input);
  return { viewId: scene.viewId, sceneVersion: scene.version, tree, inputs };
}

type FindPixel = (asset: Asset) => PixelPosition | null;

function planInput(
  { band, calibrated: always, scene: which }: BandInput,
  { sensor, calibrated }: PointRequest,
  { scene, find }: { readonly scene: ComparedScene; readonly find: FindPixel },
): { readonly input: PointInput; readonly isInside: boolean } {
  const isEarlier = which === 'earlier';
  const from = isEarlier ? (scene.earlier ?? null) : scene;
  const asset = findAsset(from ?? scene, band);
  const meaning = planBandInput({
    scene: from ?? scene,
    sensor,
    band,
    calibrated: calibrated || always,
  });
  const { rule, parameters, table, bits, isAbsent } = meaning;
  const position = find(asset);
  // Without a scene to compare with there is no value, as a picture of it is transparent.
  const pixel = isAbsent || from === null ? null : position;
  const second = table === null || pixel === null ? null : tableValue(table, pixel, asset);
  return {
    input: {
      ...toBandFile(band, asset),
      rule,
      parameters,
      second,
      pixel,
      ...(bits === null ? {} : { bits }),
      ...(isEarlier && from !== null ? { of: { viewId: from.viewId, sceneVersion: from.version } } : {}),
    },
    isInside: position !== null,
  };
}

/** A table is thousands of numbers, of which one counts: it stays on this side of the threads. */
function tableValue(
  table: NonNullable<ReturnType<typeof planBandInput>['table']>,
  pixel: PixelPosition,
  { width, height }: Asset,
): number {
  const plane = new Float32Array(1);
  const size = { width, height };
  fillTablePlane(plane, {
    table,
    window: { ...pixel, width: 1, height: 1 },
    levelSize: size,
    fullSize: size,
  });
  return plane[0] as number;
}

/** Bands of one resolution lie on one grid, so what is found for the first of them holds for the others. */
function makeFindPixel(point: GroundPoint): FindPixel {
  const known = new Map<string, PixelPosition | null>();
  return (asset) => {
    const { epsg, proj, transform, lattice, width, height } = asset;
    const key = JSON.stringify([epsg, proj, transform, lattice, width, height]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const position = findPixel(asset, point);
    known.set(key, position);
    return position;
  };
}
