/** Outlines of scenes on the map: all of them as lines below the imagery, the shown and the hovered one above it. */
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import { coversPoint } from '../scenes/coverage.ts';
import type { Scene } from '../scenes/scene.ts';
import type { Point } from '../state/map-view.ts';
import { FOOTPRINT_LAYERS } from './base-style.ts';

/** The outlines of a map. */
export interface Footprints {
  /** Outlines of scenes, newest first. */
  show(scenes: readonly Scene[]): void;
  /** Marks the scene that is shown and the one under the pointer. */
  mark(shownViewId: string | null, hoveredViewId: string | null): void;
  setVisible(isVisible: boolean): void;
  /** The scenes at a position, newest first; none while the outlines are hidden. */
  at(point: Point): readonly string[];
}

type GeoJsonData = Parameters<GeoJSONSource['setData']>[0];

/** Builds them over a map with the base style. */
export const makeFootprints = (map: MapLibreMap): Footprints => {
  let scenes: readonly Scene[] = [];
  let isVisible = true;
  let shown: string | null = null;
  let hovered: string | null = null;
  /** Numbers of the outlines on the map, by the view ids of their scenes; of equal outlines one is drawn. */
  let numbers = new Map<string, number>();
  const setLayers = (): void => {
    for (const layer of FOOTPRINT_LAYERS) {
      const isOfHovered = layer === 'footprint-fill' || layer === 'footprint-hovered';
      const isWanted = isVisible && (!isOfHovered || hovered !== null);
      map.setLayoutProperty(layer, 'visibility', isWanted ? 'visible' : 'none');
    }
  };
  const setOutlines = (
    name: 'footprints' | 'hovered',
    outlines: readonly (readonly [id: number, outline: Scene['outline']])[],
  ): void => {
    const features = outlines.map(([id, geometry]) => ({ type: 'Feature', id, properties: {}, geometry }));
    const source = map.getSource<GeoJSONSource>(name);
    source?.setData({ type: 'FeatureCollection', features } as unknown as GeoJsonData);
  };
  const setShown = (isShown: boolean): void => {
    const id = shown === null ? undefined : numbers.get(shown);
    if (id !== undefined) map.setFeatureState({ source: 'footprints', id }, { isShown });
  };
  return {
    show(next) {
      setShown(false);
      scenes = next;
      const byOutline = new Map<string, readonly [id: number, outline: Scene['outline']]>();
      numbers = new Map();
      for (const { viewId, outline } of scenes) {
        const key = JSON.stringify(outline.coordinates);
        const drawn = byOutline.get(key) ?? [byOutline.size + 1, outline];
        byOutline.set(key, drawn);
        numbers.set(viewId, drawn[0]);
      }
      setOutlines('footprints', [...byOutline.values()]);
      setShown(true);
    },
    mark(shownViewId, hoveredViewId) {
      if (shownViewId !== shown) {
        setShown(false);
        shown = shownViewId;
        setShown(true);
      }
      const found = scenes.find(({ viewId }) => viewId === hoveredViewId);
      if ((found?.viewId ?? null) === hovered) return;
      hovered = found?.viewId ?? null;
      if (found !== undefined) setOutlines('hovered', [[1, found.outline]]);
      setLayers();
    },
    setVisible(next) {
      isVisible = next;
      setLayers();
    },
    // Not by the map's own search, which finds what it draws: it would have to draw each outline as a filled area.
    at: (point) =>
      isVisible
        ? scenes.filter(({ outline }) => coversPoint(outline, point)).map(({ viewId }) => viewId)
        : [],
  };
};
