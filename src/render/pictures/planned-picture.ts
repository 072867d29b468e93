import type { SceneName } from '../../catalog/index.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { PlannedScene } from '../scenes/planned-scene.ts';
import type { PictureRequest } from './plan-picture.ts';

/** A picture of a scene that is to be found first. */
export type ScenePictureRequest = PictureRequest & SceneName;

/** A picture that is planned and not drawn yet. */
export interface PlannedPicture extends PlannedScene {
  readonly etag: string;
  /** Of the area that the plan names. */
  readonly outline: AreaOutline | null;
  /** The request it was planned for: if files turn out to be replaced, it is planned again. */
  readonly request: ScenePictureRequest;
}
