import type { PixelWindow } from '../raster/index.ts';
import type { MeasuredPiece } from '../zonal/measuring.ts';
import type { CoveredShapes, Weights } from './cover-shapes.ts';

/** The input of the job that measures shapes in a window of a scene. */
export interface WindowJob {
  readonly piece: MeasuredPiece;
  /** Where the piece lies in the grid of the runs. */
  readonly window: PixelWindow;
  readonly covered: CoveredShapes;
  /** Shapes whose boxes meet the window. */
  readonly members: Uint32Array;
  readonly expressions: number;
  readonly weights: Weights;
}
