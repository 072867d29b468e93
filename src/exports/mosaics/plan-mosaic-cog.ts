import type { PartedCog } from '../../formats/cog/index.ts';
import { planCogParts } from '../../formats/cog/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { PlannedMosaic } from '../../mosaic/index.ts';
import { isPicking } from '../../mosaic/index.ts';
import type { PixelType } from '../../raster/index.ts';
import { shownInput } from '../../render/native/index.ts';
import { findBand } from '../../sensors/index.ts';
import { planPictureCog } from '../pictures/picture-cog.ts';
import type { SensorTree } from './band-names.ts';
import { listBandNames } from './band-names.ts';
import type { MosaicOrder } from './mosaic-order.ts';
import { toSourceDescription } from './mosaic-scenes.ts';

/** Decides how the pixels of an order are stored, by its sensors and one of its scenes. */
export function makePlanMosaicCog(
  order: MosaicOrder,
  trees: readonly SensorTree[],
  probe: PlannedMosaic,
): (grid: Grid) => PartedCog {
  if (order.content.kind === 'picture') return planPictureCog;
  const { type, nodata } = chooseType(order, trees, probe);
  const [first] = trees as [SensorTree, ...SensorTree[]];
  const descriptions = [...listBandNames(order.bands, first), toSourceDescription(order)];
  const methods = first.tree.outputs.map((_, output) => (isClass(first, output) ? 'nearest' : 'average'));
  return ({ width, height, epsg, transform }) =>
    planCogParts({
      width,
      height,
      bandCount: descriptions.length,
      type,
      epsg,
      transform,
      nodata,
      compression: 'steady-deflate',
      padding: 'flat',
      predictor: type === 'float32' ? 3 : 2,
      interleave: 'band',
      overviewMethod: [...methods, 'nearest'],
      bands: descriptions.map((text) => ({ description: text.slice(0, MAX_DESCRIPTION) })),
    });
}

/** Characters that the writer takes. */
const MAX_DESCRIPTION = 1_000;

/** The value of pixels without data in files of floats. */
const FLOAT_NODATA = -9999;

interface StoredType {
  readonly type: PixelType;
  readonly nodata: number;
}

/**
 * Bands of one sensor whose pixels are picked and not computed keep their type. A nodata value above 0 could be the
 * number of a scene, and bytes have too few numbers for scenes.
 */
function chooseType(
  { content, mosaic }: MosaicOrder,
  trees: readonly SensorTree[],
  { front }: PlannedMosaic,
): StoredType {
  const floats: StoredType = { type: 'float32', nodata: FLOAT_NODATA };
  const { composition } = mosaic;
  const areStored = content.kind === 'values' && content.areBands && !content.calibrated;
  const arePicked = isPicking(composition.selection) && composition.featherPx === 0;
  const [only, ...others] = trees;
  if (!areStored || !arePicked || only === undefined || others.length > 0 || front === null) return floats;
  const assets = only.tree.inputs.map(({ band }) => front.picture.scene.assets[band]);
  const types = new Set(assets.map((asset) => asset?.type));
  const holes = new Set(assets.map((asset) => asset?.nodata ?? null));
  const [[type], [nodata]] = [[...types], [...holes]];
  if (types.size !== 1 || holes.size !== 1 || nodata == null || nodata > 0) return floats;
  if (type === 'int16') return { type, nodata };
  return type === 'uint8' || type === 'uint16' ? { type: 'uint16', nodata } : floats;
}

/** Whether a band of the file shows classes or flags as they are: there is nothing between two of them. */
function isClass({ sensor, tree }: SensorTree, output: number): boolean {
  const shown = shownInput(tree, output);
  const band = shown === null ? undefined : tree.inputs[shown]?.band;
  return band !== undefined && findBand(sensor, band)?.kind === 'quality';
}
