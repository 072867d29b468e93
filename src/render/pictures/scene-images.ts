import type { TypedTree } from '../../bandmath/index.ts';
import type { Asset } from '../../catalog/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findAsset } from '../inputs/band-file.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';

/** What a picture of a scene is made of. */
export interface SceneImages {
  readonly scene: ComparedScene;
  /** The images of the scene that are shown, the panchromatic one included if it sharpens the picture. */
  readonly assets: readonly Asset[];
  /** Whether a pixel depends on all others of the picture, so that it cannot be painted in parts. */
  readonly needsWindow: boolean;
}

interface ImagesRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly options: { readonly isSharpened?: boolean };
}

/** The images that expressions over a scene show. */
export function toSceneImages(
  { inputs, needsWindow }: TypedTree,
  { scene, sensor, options }: ImagesRequest,
): SceneImages {
  const bands = new Set(inputs.map(({ band }) => band));
  // A sensor without one refuses the picture when it is planned.
  if (options.isSharpened === true && sensor.pansharpening !== null) bands.add(sensor.pansharpening.panBand);
  return { scene, assets: [...bands].map((band) => findAsset(scene, band)), needsWindow };
}
