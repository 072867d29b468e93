import type { Scene } from '../catalog/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import type { ResampleMethod } from '../raster/index.ts';
import type { Sensor } from '../sensors/index.ts';
import type { ContrastRange } from '../stats/index.ts';
import type { PictureFormat, PixelPlan, RenderPlan } from './plan.ts';
import type { ColorOptions } from './plan-color.ts';
import { isOfClasses, needsContrast, planPictureColor } from './plan-color.ts';
import type { PlanExpressions } from './plan-expressions.ts';
import { planExpressions } from './plan-expressions.ts';
import { planInputs } from './plan-inputs.ts';
import { planStretches } from './plan-stretch.ts';
import { checkWork, estimateBytes } from './render-limits.ts';

/** How the caller wants the picture. */
export interface RenderOptions {
  readonly format: PictureFormat | 'auto';
  /** Null: nearest neighbours for classes and bits, bilinear for measures. */
  readonly method: ResampleMethod | null;
  /** Null: the scene's own contrast. */
  readonly range: ContrastRange | null;
  /** Physical values before band math. */
  readonly calibrated: boolean;
  /** Three expressions are red, green and blue. */
  readonly isComposite: boolean;
  readonly color: ColorOptions;
  /** What lies outside is transparent; null for all there is. */
  readonly area: PictureArea | null;
}

/** An area that pictures are cropped to. */
export interface PictureArea {
  /** Names the area for good. */
  readonly ref: string;
  readonly outline: AreaOutline;
}

/** A picture of one scene. */
export interface PictureRequest {
  readonly sensor: Sensor;
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
  readonly grid: Grid;
  readonly options: RenderOptions;
}

/** Decides everything about a picture without reading a pixel. Pure; the caller may remember expressions. */
export function planPicture(
  { sensor, bands, grid, options }: PictureRequest,
  scene: Scene,
  readExpressions: PlanExpressions = planExpressions,
): RenderPlan {
  const { range, calibrated, isComposite, format } = options;
  const tree = readExpressions({ bands, sensor, isComposite });
  checkWork(tree, grid);
  const color = planPictureColor({ sensor, scene, bands, tree, calibrated, range, color: options.color });
  const method = options.method ?? (isOfClasses(color) ? 'near' : null);
  const inputs = planInputs(tree.inputs, { scene, sensor, calibrated, method, grid });
  const pixels: PixelPlan = { viewId: scene.viewId, sceneVersion: scene.version, grid, inputs, tree };
  const bytes = estimateBytes(pixels);
  // Colours that say themselves where they begin and end leave nothing to measure.
  const stretch = needsContrast(color) ? range : { min: 0, max: 1 };
  const stretches = planStretches({ scene, sensor, tree, inputs, range: stretch });
  return { ...pixels, stretches, color, area: options.area?.ref ?? null, format, bytes };
}
