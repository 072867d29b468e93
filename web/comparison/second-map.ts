/** The map of the right side: the same base, another scene, always the view of the first map. */
import type { MapOptions } from 'maplibre-gl';
import { AttributionControl, MapLibreMap, NavigationControl, ScaleControl } from 'maplibre-gl';
import type { Failure } from '../api/failure.ts';
import type { Patience } from '../api/patience.ts';
import { makeBaseStyle, repaint } from '../map/base-style.ts';
import { toImagerySource } from '../map/imagery.ts';
import { makeImageryStack } from '../map/imagery-stack.ts';
import type { SceneMap } from '../map/map.ts';
import { showShapes } from '../map/map.ts';
import { closeNarrowAttribution, toControlWords } from '../map/map-controls.ts';
import { reportBusy, reportFailures } from '../map/map-events.ts';
import { spareFrames } from '../map/spare-frames.ts';
import { makeWorld } from '../map/world.ts';
import type { Scene } from '../scenes/scene.ts';
import type { Texts } from '../texts/en.ts';

interface SecondMapOptions {
  /** Says whether it is busy; the map is in an element of its own inside of it, as long as there is one. */
  readonly host: HTMLElement;
  readonly patience: Patience;
  readonly isDark: boolean;
  readonly units: 'metric' | 'imperial';
  readonly labels: Texts['mapControls'];
  /** Whose view it has. */
  readonly like: MapLibreMap;
  onFailure(failure: Failure): void;
}

/** The interface of the second map. */
export interface SecondMap
  extends Pick<
    SceneMap,
    'gl' | 'setBusy' | 'imageryLayer' | 'setOpacity' | 'showShapes' | 'setDark' | 'loadWorld'
  > {
  showImagery(scene: Scene, template: string, opacity: number): void;
  remove(): void;
}

/** The map itself; without WebGL it throws, and leaves nothing behind. */
const makeFlatMap = (options: MapOptions & { readonly container: HTMLElement }): MapLibreMap => {
  try {
    return new MapLibreMap(options);
  } catch (error) {
    options.container.remove();
    throw error;
  }
};

/** Makes it and waits until it can take layers. */
export const makeSecondMap = async (options: SecondMapOptions): Promise<SecondMap> => {
  const { host, isDark, units, labels, like, onFailure } = options;
  const container = Object.assign(document.createElement('div'), { className: 'second-map' });
  host.append(container);
  const map = makeFlatMap({
    container,
    style: makeBaseStyle(isDark),
    center: like.getCenter(),
    zoom: like.getZoom(),
    maxZoom: like.getMaxZoom(),
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    attributionControl: false,
    locale: toControlWords(labels),
  });
  spareFrames(map);
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right');
  closeNarrowAttribution(map);
  map.addControl(new ScaleControl({ maxWidth: 96, unit: units }), 'bottom-right');
  let isRemoved = false;
  const world = makeWorld(map, options.patience, (failure) => {
    if (!isRemoved) onFailure(failure);
  });
  const imagery = makeImageryStack(map, { name: 'imagery', fadeMs: 0 });
  const { setBusy } = reportBusy(map, host, () => world.isComing() || !imagery.isSettled());
  reportFailures(map, onFailure);
  await map.once('style.load');
  world.loadOutline();
  return {
    gl: map,
    setBusy,
    imageryLayer: imagery.lowest,
    setOpacity: imagery.setOpacity,
    loadWorld: world.loadWhenIdle,
    showShapes(geometries) {
      setBusy();
      showShapes(map, geometries);
    },
    showImagery(scene, template, opacity) {
      setBusy();
      imagery.setOpacity(opacity);
      imagery.show(toImagerySource(scene, template));
    },
    setDark(isNowDark) {
      setBusy();
      repaint(map, isNowDark);
    },
    remove() {
      isRemoved = true;
      map.remove();
      container.remove();
    },
  };
};
