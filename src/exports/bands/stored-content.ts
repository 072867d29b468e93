import { fileLimits, parseExpressions } from '../../bandmath/index.ts';
import type { Scene } from '../../catalog/index.ts';
import { planStored } from '../../raster/index.ts';
import { planNativeInputs, toNativeGrid } from '../../render/native/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { toExpressionNames } from '../../sensors/index.ts';
import type { ExportContent, ImageContent } from '../export.ts';
import type { GroupPixels } from './choose-bands.ts';

/** Which pixels of a scene's files become the images of an order, for explanations. */
export const toStoredContent = (
  groups: readonly GroupPixels[],
  of: { readonly scene: Scene; readonly sensor: Sensor },
): ExportContent => ({ kind: 'pixels', images: groups.map((group) => toImage(group, of)) });

function toImage(
  { bands, window, grid }: GroupPixels,
  { scene, sensor }: { readonly scene: Scene; readonly sensor: Sensor },
): ImageContent {
  const names = bands.map(({ band }) => band.name).join();
  const tree = parseExpressions(names, toExpressionNames(sensor), fileLimits);
  const inputs = planNativeInputs(tree, { scene, sensor, calibrated: false, ...toNativeGrid(tree, scene) });
  const { epsg, transform, width, height } = grid;
  return {
    bands: names,
    isStored: true,
    plan: {
      viewId: scene.viewId,
      sceneVersion: scene.version,
      grid: { epsg, transform, width, height },
      tree,
      // Files of one image have the same pixels. Their numbers are copied, whatever a picture makes of them.
      inputs: inputs.map((input) => ({
        ...input,
        rule: 'plain',
        parameters: [],
        table: null,
        warp: planStored(bands[0].asset, window),
      })),
    },
  };
}
