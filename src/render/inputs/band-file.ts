import type { BandFile } from '../../blocks/index.ts';
import { toOpenedState } from '../../blocks/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import { unsupported } from '../../errors.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';

/** The file of a band in a scene. A missing file is an unsupported band: 404 would say that the scene is unknown. */
export function findAsset(scene: Scene, band: string): Asset {
  const asset = Object.hasOwn(scene.assets, band) ? scene.assets[band] : undefined;
  if (asset === undefined)
    throw unsupported('no-such-band-file', `This scene has no file for the band ${band}.`);
  return asset;
}

/** The file of an input, in the scene itself or in the earlier one. */
export const findInputAsset = (scene: ComparedScene, { band, of }: Pick<InputPlan, 'band' | 'of'>): Asset =>
  findAsset(of === undefined ? scene : (scene.earlier ?? scene), band);

/** What a reader must know of a file. */
export const toBandFile = (band: string, asset: Asset): BandFile => ({
  band,
  href: asset.href,
  bandIndex: asset.bandIndex,
  nodata: asset.nodata,
  ...toOpenedState(asset),
});
