/** The map: base, footprints, and the imagery of one scene. Everything it is told comes in, everything it sees goes out by events. */

import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl';
import { AttributionControl, MapLibreMap, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import { Failure, toFailure } from '../api/failure.ts';
import type { Box } from '../scenes/footprint.ts';
import { toBox } from '../scenes/footprint.ts';
import type { Scene } from '../scenes/scene.ts';
import { toHome, toOwnAddress } from '../scenes/tile-template.ts';
import type { MapView } from '../state/hash-state.ts';
import { FIRST_LAYER_ABOVE_IMAGERY, listPaint, makeBaseStyle } from './base-style.ts';
import { reportBusy, reportFailures, reportPositions } from './map-events.ts';
import { serveTiles, toTileAddress } from './tile-requests.ts';

interface SceneMapOptions {
  readonly container: HTMLElement;
  readonly readKey: () => string | null;
  readonly view: MapView | null;
  /** Scenes under a click, newest first. */
  onPick(viewIds: string[]): void;
  /** The view came to rest. */
  onView(view: MapView): void;
  /** The position to show in the readout: the pointer's, or the middle of the map. */
  onPosition(position: MapView): void;
  /** A tile or the base map, at this address, could not be loaded. */
  onFailure(failure: Failure, url: string): void;
}

/** The interface of the map. */
export interface SceneMap {
  showFootprints(scenes: readonly Scene[]): void;
  /** `template` is the scene's tile address with its bands filled in. */
  showImagery(scene: Scene, template: string): void;
  setOpacity(opacity: number): void;
  fitTo(box: Box, isAnimated: boolean): void;
  moveTo(view: MapView): void;
}

type GeoJsonData = Parameters<GeoJSONSource['setData']>[0];

const IMAGERY = 'imagery';
const WORLD_VIEW: MapView = { zoom: 1.6, lat: 25, lon: 10 };

const makeMap = ({ container, view }: SceneMapOptions, isDark: boolean): MapLibreMap => {
  const { zoom, lat, lon } = view ?? WORLD_VIEW;
  setWorkerUrl(new URL(MAP_WORKER_URL, location.href).href);
  const map = new MapLibreMap({
    container,
    style: makeBaseStyle(isDark),
    center: [lon, lat],
    zoom,
    maxZoom: 18,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    attributionControl: false,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right');
  map.addControl(new ScaleControl({ maxWidth: 96 }), 'bottom-right');
  return map;
};

/**
 * Loads land and borders. By the page rather than by MapLibre's worker: a worker lives under the content policy of its
 * own script, so this way that script may be served with a policy that allows it nothing.
 */
const showWorld = async (map: MapLibreMap): Promise<void> => {
  const response = await fetch(WORLD_URL);
  if (!response.ok) throw toFailure(response.status, await response.text());
  const world: GeoJsonData = await response.json();
  map.getSource<GeoJSONSource>('world')?.setData(world);
};

/** Makes the map and waits until it can take layers; throws when the browser has no WebGL 2. */
export const makeSceneMap = async (options: SceneMapOptions): Promise<SceneMap> => {
  const { container, readKey, onPick, onFailure } = options;
  serveTiles(readKey);
  const darkScheme = matchMedia('(prefers-color-scheme: dark)');
  const map = makeMap(options, darkScheme.matches);
  let isWorldComing = true;
  const setBusy = reportBusy(map, container, () => isWorldComing);
  reportFailures(map, onFailure);
  await map.once('style.load');
  showWorld(map)
    .catch((error: unknown) => onFailure(error instanceof Failure ? error : toFailure(0, ''), WORLD_URL))
    .finally(() => {
      isWorldComing = false;
      map.triggerRepaint();
    });
  reportPositions(map, options);
  darkScheme.addEventListener('change', ({ matches }) => {
    setBusy();
    for (const { layer, property, value } of listPaint(matches)) {
      map.setPaintProperty(layer, property as Parameters<MapLibreMap['setPaintProperty']>[1], value as never);
    }
  });

  map.on('click', ({ point }: MapMouseEvent) => {
    const features = map.queryRenderedFeatures(point, { layers: ['footprint-fill'] });
    const ids = new Map(features.map((feature) => [Number(feature.id), String(feature.properties.viewId)]));
    // Feature numbers follow the list, which is newest first; drawing order says nothing about dates.
    onPick([...ids].toSorted(([a], [b]) => a - b).map(([, viewId]) => viewId));
  });
  map.on('mouseenter', 'footprint-fill', () => container.classList.add('is-over-scene'));
  map.on('mouseleave', 'footprint-fill', () => container.classList.remove('is-over-scene'));

  let footprints: readonly Scene[] = [];
  let opacity = 1;
  const removeImagery = (): void => {
    if (map.getLayer(IMAGERY) !== undefined) map.removeLayer(IMAGERY);
    if (map.getSource(IMAGERY) !== undefined) map.removeSource(IMAGERY);
  };

  return {
    showFootprints(scenes) {
      footprints = scenes;
      removeImagery();
      const outlines = new Set<string>();
      const features = scenes.map((scene, id) => {
        const outline = JSON.stringify(scene.outline.coordinates);
        const isTinted = !outlines.has(outline);
        outlines.add(outline);
        return {
          type: 'Feature',
          id,
          properties: { viewId: scene.viewId, isTinted },
          geometry: scene.outline,
        };
      });
      const source = map.getSource<GeoJSONSource>('footprints');
      source?.setData({ type: 'FeatureCollection', features } as GeoJsonData);
    },

    showImagery(scene, template) {
      setBusy();
      removeImagery();
      const [west, south, east, north] = toBox(scene.outline);
      map.addSource(IMAGERY, {
        type: 'raster',
        tiles: [toTileAddress(toOwnAddress(template, toHome(location.href)), location.origin)],
        tileSize: 256,
        maxzoom: scene.sensor.maxZoom,
        // A box across the antimeridian cannot be said here; without one the server answers outside tiles as empty.
        ...(east <= 180 ? { bounds: [west, south, east, north] } : {}),
      });
      map.addLayer(
        {
          id: IMAGERY,
          type: 'raster',
          source: IMAGERY,
          paint: {
            'raster-opacity': opacity,
            // The slider itself moves gradually; a fade on top would lag behind it.
            'raster-opacity-transition': { duration: 0 },
            'raster-fade-duration': 150,
          },
        },
        FIRST_LAYER_ABOVE_IMAGERY,
      );
      map.removeFeatureState({ source: 'footprints' });
      const id = footprints.findIndex((footprint) => footprint.viewId === scene.viewId);
      if (id >= 0) map.setFeatureState({ source: 'footprints', id }, { shown: true });
    },

    setOpacity(next) {
      setBusy();
      opacity = next;
      if (map.getLayer(IMAGERY) !== undefined) map.setPaintProperty(IMAGERY, 'raster-opacity', opacity);
    },

    fitTo([west, south, east, north], isAnimated) {
      setBusy();
      // The panel may just have changed its size and the map's with it, which MapLibre notices only later by itself.
      map.resize();
      const padding = Math.min(48, container.clientWidth / 10, container.clientHeight / 10);
      map.fitBounds([west, south, east, north], { padding, animate: isAnimated, duration: 900 });
    },

    moveTo({ zoom, lat, lon }) {
      setBusy();
      map.jumpTo({ zoom, center: [lon, lat] });
    },
  };
};
