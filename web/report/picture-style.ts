/** The style of a map, changed for a picture of it. */
import type { GeoJSONSourceSpecification, RasterSourceSpecification, StyleSpecification } from 'maplibre-gl';
import { FOOTPRINT_LAYERS, SHAPE_LAYERS } from '../map/base-style.ts';
import type { Outline } from '../scenes/footprint.ts';

/** What is changed. */
export interface PictureStyle {
  /** Pixels of the picture for each of the page. */
  readonly scale: number;
  /** Other imagery than that of the map. */
  readonly imagery?: RasterSourceSpecification;
  /** Another outline than those of the map. */
  readonly outline?: Outline;
}

/** What is there for the pointer: outlines of scenes, the clicked point, handles of the editor. */
const isOfPointer = (id: string): boolean =>
  FOOTPRINT_LAYERS.some((one) => one === id) || id === 'point' || id.startsWith('td-');

/** The map hides these while it has no shape. */
const isOfShapes = (id: string): boolean => SHAPE_LAYERS.some((one) => one === id);

const isOfImagery = (name: string): boolean => name.startsWith('imagery-');

/** The style of a map for a picture: tiles of half the size, say, so that twice as many of them are drawn. */
export const toPictureStyle = (
  style: StyleSpecification,
  { scale, imagery, outline }: PictureStyle,
): StyleSpecification => {
  const replaced = (name: string, source: StyleSpecification['sources'][string]): typeof source => {
    if (imagery !== undefined && isOfImagery(name)) return imagery;
    if (outline !== undefined && name === 'shapes' && source.type === 'geojson')
      return { ...source, data: outline as unknown as GeoJSONSourceSpecification['data'] };
    return source;
  };
  return {
    ...style,
    sources: Object.fromEntries(
      Object.entries(style.sources).map(([name, own]) => {
        const source = replaced(name, own);
        return [
          name,
          source.type === 'raster' ? { ...source, tileSize: (source.tileSize ?? 512) / scale } : source,
        ];
      }),
    ),
    layers: style.layers
      .filter(({ id }) => !isOfPointer(id))
      .map((layer) =>
        outline !== undefined && isOfShapes(layer.id)
          ? ({ ...layer, layout: { ...layer.layout, visibility: 'visible' } } as typeof layer)
          : layer,
      ),
  };
};
