import type { FittedClusters } from '../clusters/fit-clusters.ts';
import type { ChannelContrast } from '../contrast/find-contrast.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';
import type { RenderOptions } from './plan-picture.ts';

/** All that the parts of one picture have in common: with it a thread plans and paints any of them. Cloneable. */
export interface PaintedScene {
  readonly scene: ComparedScene;
  /** Abbreviation of the sensor. */
  readonly sensor: string;
  readonly bands: string;
  readonly options: RenderOptions;
  /** One for each channel. */
  readonly contrast: readonly ChannelContrast[];
  /** Null if no classes are shown, or none were found. */
  readonly clusters: FittedClusters | null;
}
