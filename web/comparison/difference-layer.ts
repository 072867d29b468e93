/** The difference of two scenes as a layer of the map. */
import type { MapLibreMap } from 'maplibre-gl';
import { addProtocol } from 'maplibre-gl';
import type { Api } from '../api/api.ts';
import { Failure, toFailure } from '../api/failure.ts';
import { toTileExtent } from '../map/imagery.ts';
import { makeImageryStack } from '../map/imagery-stack.ts';
import { TileError } from '../map/tile-requests.ts';
import { toOwnAddress } from '../scenes/tile-template.ts';
import type { Comparison } from '../state/comparison.ts';
import type { DifferencePlan } from './difference.ts';
import { toCodeTemplate, toDifferencePixels } from './difference.ts';
import { readPixels } from './read-pixels.ts';

const DIFFERENCE = 'difference';

interface Shown {
  readonly templates: readonly [left: string, right: string];
  readonly plan: DifferencePlan;
  readonly colors: Uint8ClampedArray;
}

/** Shows differences on a map, one at a time. */
export interface DifferenceLayer {
  show(comparison: Comparison, measure: string, plan: DifferencePlan, colors: Uint8ClampedArray): void;
  setOpacity(opacity: number): void;
  remove(): void;
}

/** Builds it; tiles are computed when the map wants them, and given up when it does not any more. `onDrawn` follows each. */
export const makeDifferenceLayer = (map: MapLibreMap, api: Api, onDrawn: () => void): DifferenceLayer => {
  const shown = new Map<string, Shown>();
  let count = 0;

  addProtocol(DIFFERENCE, async ({ url }, { signal }) => {
    const [id = '', z = '', x = '', y = ''] = url.slice(`${DIFFERENCE}://`.length).split('/');
    const difference = shown.get(id);
    // Of a difference that is shown no more: the map has given the tile up.
    if (difference === undefined) return { data: await createImageBitmap(new ImageData(1, 1)) };
    const { templates, plan, colors } = difference;
    const paths = templates.map((template) =>
      toOwnAddress(template, '').slice(1).replace('{z}', z).replace('{x}', x).replace('{y}', y),
    );
    try {
      const pictures = await Promise.all(paths.map((path) => api.readPicture(path, signal)));
      const [left, right] = (await Promise.all(pictures.map(readPixels))) as [ImageData, ImageData];
      const pixels = toDifferencePixels(left.data, right.data, plan, colors);
      return { data: await createImageBitmap(new ImageData(pixels, left.width, left.height)) };
    } catch (error) {
      // The map gave the tile up itself and knows.
      if (signal.aborted) throw error;
      throw new TileError(error instanceof Failure ? error : toFailure(0, ''), paths[0] ?? '');
    }
  });

  const stack = makeImageryStack(map, { name: DIFFERENCE, fadeMs: 0, onDrawn });
  return {
    remove() {
      stack.remove();
      shown.clear();
    },
    show({ left, right }, measure, plan, colors) {
      const id = String(++count);
      const toTemplate = ({ scene, picture }: Comparison['left']): string =>
        toCodeTemplate(scene, measure, { picture, range: plan.range });
      // The one before is still seen; those before it are not.
      shown.delete(String(count - 2));
      shown.set(id, { templates: [toTemplate(left), toTemplate(right)], plan, colors });
      const { tileSize, maxzoom } = toTileExtent(right.scene);
      // Only where both have tiles is there a difference: tiles outside of the left scene are not asked for.
      const { bounds } = toTileExtent(left.scene);
      stack.show({
        type: 'raster',
        tiles: [`${DIFFERENCE}://${id}/{z}/{x}/{y}`],
        ...(tileSize === undefined ? {} : { tileSize }),
        ...(maxzoom === undefined ? {} : { maxzoom }),
        ...(bounds === undefined ? {} : { bounds }),
      });
    },
    setOpacity: stack.setOpacity,
  };
};
