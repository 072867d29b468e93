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

interface Outlined extends Pick<Scene, 'outline'> {
  readonly isHovered?: boolean;
}

/** Builds them over a map with the base style. */
export const makeFootprints = (map: MapLibreMap): Footprints => {
  let scenes: readonly Scene[] = [];
  let isVisible = true;
  let marked = '';
  let has = { marked: false, hovered: false };
  const setLayers = (): void => {
    const shown = { 'footprint-fill': has.hovered, 'footprint-line': true, 'footprint-marked': has.marked };
    for (const layer of FOOTPRINT_LAYERS)
      map.setLayoutProperty(layer, 'visibility', isVisible && shown[layer] ? 'visible' : 'none');
  };
  const setOutlines = (name: 'footprints' | 'marked', outlined: readonly Outlined[]): void => {
    const features = outlined.map(({ outline, isHovered = false }) => ({
      type: 'Feature',
      properties: { isHovered },
      geometry: outline,
    }));
    const source = map.getSource<GeoJSONSource>(name);
    source?.setData({ type: 'FeatureCollection', features } as unknown as GeoJsonData);
  };
  return {
    show(next) {
      scenes = next;
      // Of equal outlines one is drawn.
      const byOutline = new Map(scenes.map((scene) => [JSON.stringify(scene.outline.coordinates), scene]));
      setOutlines('footprints', [...byOutline.values()]);
    },
    mark(shownViewId, hoveredViewId) {
      const both = scenes
        .filter(({ viewId }) => viewId === shownViewId || viewId === hoveredViewId)
        .map(({ viewId, outline }) => ({ viewId, outline, isHovered: viewId === hoveredViewId }));
      const wanted = both.map(({ viewId, isHovered }) => `${viewId} ${isHovered}`).join();
      if (wanted === marked) return;
      marked = wanted;
      setOutlines('marked', both);
      has = { marked: both.length > 0, hovered: both.some(({ isHovered }) => isHovered) };
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
