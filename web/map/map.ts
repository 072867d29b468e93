/** The map: base, footprints, and the imagery of one scene. Everything it is told comes in, everything it sees goes out by events. */

import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl';
import {
  AttributionControl,
  MapLibreMap,
  NavigationControl,
  ScaleControl,
  setMaxParallelImageRequests,
  setWorkerUrl,
} from 'maplibre-gl';
import type { Failure } from '../api/failure.ts';
import type { Patience } from '../api/patience.ts';
import type { BaseMap } from '../scenes/about.ts';
import type { ClearLayer } from '../scenes/clear-layer.ts';
import type { Box } from '../scenes/footprint.ts';
import type { Scene } from '../scenes/scene.ts';
import type { ShapeGeometry } from '../shapes/shape.ts';
import type { SharedMap } from '../shared/shared-map.ts';
import type { MapView, Point } from '../state/map-view.ts';
import type { Texts } from '../texts/en.ts';
import { putBaseMap, toBaseMapSource } from './base-map.ts';
import { makeBaseStyle, repaint, SHAPE_LAYERS } from './base-style.ts';
import { makeFootprints } from './footprints.ts';
import { toClearSource, toImagerySource, toSharedSource } from './imagery.ts';
import { makeImageryStack } from './imagery-stack.ts';
import { closeNarrowAttribution, toControlWords } from './map-controls.ts';
import { reportBusy, reportFailures, reportPositions } from './map-events.ts';
import { spareFrames } from './spare-frames.ts';
import { serveTiles } from './tile-requests.ts';
import type { SetTilting } from './tilting.ts';
import { makeTilting } from './tilting.ts';
import { makeWorld } from './world.ts';

interface SceneMapOptions {
  readonly container: HTMLElement;
  readonly readKey: () => string | null;
  readonly patience: Patience;
  readonly view: MapView | null;
  readonly units: 'metric' | 'imperial';
  readonly isDark: boolean;
  /** What the controls are called. */
  readonly labels: Texts['mapControls'];
  /** A click, and the scenes under it, newest first. */
  onClick(point: Point, viewIds: readonly string[]): void;
  /** The newest scene under the pointer changed. */
  onHover(viewId: string | null): void;
  /** The view came to rest. */
  onView(view: MapView, bounds: Box): void;
  /** The position to show in the readout: the pointer's, or the middle of the map. */
  onPosition(position: MapView): void;
  /** A tile or the base map, at this address, could not be loaded. */
  onFailure(failure: Failure, url: string): void;
}

/** The interface of the map. */
export interface SceneMap {
  /** MapLibre itself, for layers that panels bring along: drawing, comparison, terrain. */
  readonly gl: MapLibreMap;
  /** Resolves when the first picture is drawn: what can wait leaves it the bandwidth. */
  readonly drawn: Promise<void>;
  /** Resolves when everything requested is drawn, at once if it is. */
  whenDrawn(): Promise<void>;
  /** Outlines of scenes, newest first. */
  showFootprints(scenes: readonly Scene[]): void;
  /** Marks the scene that is shown and the one under the pointer. */
  markFootprints(shownViewId: string | null, hoveredViewId: string | null): void;
  /** Outlines would lie over two scenes, or over a film, of which they are not. */
  setFootprintsVisible(isVisible: boolean): void;
  /** `template` is the scene's tile address with its bands filled in; `attribution` says who must be named. */
  showImagery(scene: Scene, template: string, attribution: string | null): void;
  /** The tiles of a map that a link shows; their address is made of the token. */
  showShared(shared: SharedMap): void;
  /** Puts the tiles of another server in place of land, borders and names. */
  showBaseMap(baseMap: BaseMap): Promise<void>;
  /** The clear view, in place of a scene. */
  showClearLayer(layer: ClearLayer, attribution: string | null): void;
  removeImagery(): void;
  /** A film or a difference takes the place of the imagery, which goes when that is drawn. */
  retireImagery(): void;
  /** Something else is drawn in place of retired imagery. */
  dropRetiredImagery(): void;
  setOpacity(opacity: number): void;
  /** Outlines and lines of the user. */
  showShapes(geometries: readonly ShapeGeometry[]): void;
  /** A cross at a point; `null` for none. */
  markPoint(point: Point | null): void;
  /** A pin with a name; `null` for none. */
  markPlace(place: (Point & { readonly name: string }) | null): void;
  setDark(isDark: boolean): void;
  fitTo(box: Box, isAnimated: boolean): void;
  moveTo(view: MapView): void;
  /** Allows tilting and turning, which a flat map does not. */
  setTilting: SetTilting;
  /** Loads land and borders in detail when the map has drawn what it was given, and again if they could not be loaded. */
  loadWorld(): void;
  /** Something was handed to the map that it has to draw. */
  setBusy(): void;
  /** Whether the page still looks for its first scene: until then the map is busy. */
  setExpecting(isExpecting: boolean): void;
  /** The lowest layer of the scene, if one is shown: what is to lie below goes before it. */
  imageryLayer(): string | null;
  /** The room of the map has changed. */
  resize(): void;
}

type GeoJsonData = Parameters<GeoJSONSource['setData']>[0];

const IMAGERY = 'imagery';
/** Tiles and names appear gradually, in this time; at once for people who prefer reduced motion. */
const FADE_MS = 150;
const toFadeMs = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : FADE_MS);
/**
 * Tiles in flight: those of a large screen and more. MapLibre's own limit of 16 leaves a link idle where the server or a
 * proxy answers many requests at once; over HTTP/1.1 the browser itself has a limit of six.
 */
const MAX_TILES_IN_FLIGHT = 48;
const WORLD_VIEW: MapView = { zoom: 1.6, lat: 25, lon: 10 };

const makeMap = ({ container, view, units, isDark, labels }: SceneMapOptions): MapLibreMap => {
  const { zoom, lat, lon } = view ?? WORLD_VIEW;
  setWorkerUrl(new URL(MAP_WORKER_URL, location.href).href);
  setMaxParallelImageRequests(MAX_TILES_IN_FLIGHT);
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
    fadeDuration: toFadeMs(),
    locale: toControlWords(labels),
  });
  spareFrames(map);
  map.touchZoomRotate.disableRotation();
  map.touchPitch.disable();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right');
  closeNarrowAttribution(map);
  map.addControl(new ScaleControl({ maxWidth: 96, unit: units }), 'bottom-right');
  return map;
};

/** Draws outlines and lines of the user. */
export const showShapes = (map: MapLibreMap, geometries: readonly ShapeGeometry[]): void => {
  const source = map.getSource<GeoJSONSource>('shapes');
  source?.setData({ type: 'GeometryCollection', geometries } as unknown as GeoJsonData);
  for (const layer of SHAPE_LAYERS)
    map.setLayoutProperty(layer, 'visibility', geometries.length > 0 ? 'visible' : 'none');
};

/** Makes the map and waits until it can take layers; throws when the browser has no WebGL 2. */
export const makeSceneMap = async (options: SceneMapOptions): Promise<SceneMap> => {
  const { container, readKey, patience, onClick, onHover, onFailure } = options;
  const map = makeMap(options);
  serveTiles(readKey, patience, () => !map.isMoving());
  const world = makeWorld(map, patience, onFailure);
  let isExpecting = false;
  const imagery = makeImageryStack(map, { name: IMAGERY, fadeMs: toFadeMs() });
  const { setBusy, drawn, whenDrawn } = reportBusy(
    map,
    container,
    () => isExpecting || world.isComing() || !imagery.isSettled(),
  );
  reportFailures(map, onFailure);
  await map.once('style.load');
  world.loadOutline();
  reportPositions(map, options);

  const footprints = makeFootprints(map);
  map.on('click', ({ lngLat, originalEvent }: MapMouseEvent) => {
    // The second click of a double click, which zooms in.
    if (originalEvent.detail > 1) return;
    const point = { lat: lngLat.lat, lon: lngLat.wrap().lng };
    onClick(point, footprints.at(point));
  });
  map.on('mousemove', ({ lngLat, originalEvent }: MapMouseEvent) => {
    // A map that is dragged stays under the pointer.
    if (originalEvent.buttons !== 0) return;
    const [viewId = null] = footprints.at({ lat: lngLat.lat, lon: lngLat.lng });
    container.classList.toggle('is-over-scene', viewId !== null);
    onHover(viewId);
  });
  map.on('mouseout', () => onHover(null));

  return {
    gl: map,
    drawn,
    whenDrawn,
    imageryLayer: imagery.lowest,
    setBusy,
    setExpecting(isExpected) {
      isExpecting = isExpected;
      if (isExpected) setBusy();
      // A map that rests already would not say again that it does.
      else map.triggerRepaint();
    },
    loadWorld: world.loadWhenIdle,
    setTilting: makeTilting(map),

    showFootprints(scenes) {
      setBusy();
      footprints.show(scenes);
    },
    markFootprints: footprints.mark,
    setFootprintsVisible: footprints.setVisible,

    showShapes(geometries) {
      setBusy();
      showShapes(map, geometries);
    },

    markPoint(point) {
      const coordinates = point === null ? [] : [[point.lon, point.lat]];
      const source = map.getSource<GeoJSONSource>('points');
      source?.setData({ type: 'MultiPoint', coordinates } as GeoJsonData);
    },

    markPlace(place) {
      setBusy();
      const features =
        place === null
          ? []
          : [
              {
                type: 'Feature' as const,
                properties: { name: place.name },
                geometry: { type: 'Point' as const, coordinates: [place.lon, place.lat] },
              },
            ];
      map.getSource<GeoJSONSource>('place')?.setData({ type: 'FeatureCollection', features });
    },

    setDark(isDark) {
      setBusy();
      repaint(map, isDark);
    },

    resize: () => void map.resize(),

    removeImagery: imagery.remove,
    retireImagery: imagery.retire,
    dropRetiredImagery: imagery.dropRetired,

    showImagery(scene, template, attribution) {
      setBusy();
      imagery.show(toImagerySource(scene, template, attribution));
    },

    showShared(shared) {
      setBusy();
      imagery.show(toSharedSource(shared));
    },

    async showBaseMap(baseMap) {
      const source = await toBaseMapSource(baseMap);
      setBusy();
      putBaseMap(map, source);
    },

    showClearLayer(layer, attribution) {
      setBusy();
      imagery.show(toClearSource(layer, attribution));
    },

    setOpacity(opacity) {
      setBusy();
      imagery.setOpacity(opacity);
    },

    fitTo([west, south, east, north], isAnimated) {
      setBusy();
      // The panel may just have changed its size and the map's with it, which MapLibre notices only later by itself.
      map.resize();
      const padding = Math.min(48, container.clientWidth / 10, container.clientHeight / 10);
      map.fitBounds([west, south, east, north], {
        padding,
        animate: isAnimated,
        duration: 900,
        bearing: map.getBearing(),
      });
    },

    moveTo({ zoom, lat, lon }) {
      setBusy();
      map.jumpTo({ zoom, center: [lon, lat] });
    },
  };
};
