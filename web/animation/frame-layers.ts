/** The frames of a film as layers of the map: loaded unseen, and shown when every tile is there. */
import type { MapLibreMap } from 'maplibre-gl';
import { FIRST_LAYER_ABOVE_IMAGERY } from '../map/base-style.ts';
import { toImageryLayer, toImagerySource } from '../map/imagery.ts';
import type { Scene } from '../scenes/scene.ts';

/** A frame of the film. */
export interface MapFrame {
  readonly scene: Scene;
  readonly template: string;
}

/** Frames on the map, of which one is seen. */
export interface FrameLayers {
  /** Loads a frame and waits until all its tiles of the view are decoded. */
  load(frame: MapFrame, signal: AbortSignal): Promise<void>;
  /** Shows a loaded frame in place of the one before, in one step. */
  reveal(frame: MapFrame): void;
  setOpacity(opacity: number): void;
  clear(): void;
}

/** The shown one, the one before and the next ones: each more asks for its tiles whenever the map moves. */
const MAX_LAYERS = 4;

/** Builds them over a map. */
export const makeFrameLayers = (map: MapLibreMap): FrameLayers => {
  /** Names of layers by template, the one that was used longest ago first. */
  const layers = new Map<string, string>();
  let count = 0;
  let opacity = 1;
  let shown: string | null = null;

  const remove = (template: string): void => {
    const id = layers.get(template);
    if (id === undefined) return;
    layers.delete(template);
    map.removeLayer(id);
    map.removeSource(id);
  };
  const add = ({ scene, template }: MapFrame): string => {
    const known = layers.get(template);
    const id = known ?? `film-${++count}`;
    layers.delete(template);
    layers.set(template, id);
    if (known === undefined) {
      map.addSource(id, toImagerySource(scene, template));
      map.addLayer(toImageryLayer(id, { opacity: 0, fadeMs: 0 }), FIRST_LAYER_ABOVE_IMAGERY);
      const oldest = [...layers.keys()].find((one) => one !== shown && one !== template);
      if (layers.size > MAX_LAYERS && oldest !== undefined) remove(oldest);
    }
    return id;
  };
  const setLayerOpacity = (template: string | null, next: number): void => {
    const id = template === null ? undefined : layers.get(template);
    if (id !== undefined) map.setPaintProperty(id, 'raster-opacity', next);
  };

  return {
    async load(frame, signal) {
      const id = add(frame);
      const { promise, resolve } = Promise.withResolvers<void>();
      // A new source is asked for its tiles when the map is drawn next; before that it says that it needs none.
      let isDrawn = false;
      const check = (): void => {
        if (!isDrawn) return;
        const isGone = layers.get(frame.template) !== id;
        if (signal.aborted || isGone || map.isSourceLoaded(id)) resolve();
      };
      const draw = (): void => {
        isDrawn = true;
        check();
      };
      map.on('render', draw);
      map.on('sourcedata', check);
      const stop = (): void => resolve();
      signal.addEventListener('abort', stop, { once: true });
      map.triggerRepaint();
      await promise;
      map.off('render', draw);
      map.off('sourcedata', check);
      signal.removeEventListener('abort', stop);
    },
    reveal({ template }) {
      if (template === shown) return;
      setLayerOpacity(shown, 0);
      setLayerOpacity(template, opacity);
      shown = template;
    },
    setOpacity(next) {
      opacity = next;
      setLayerOpacity(shown, next);
    },
    clear() {
      for (const template of [...layers.keys()]) remove(template);
      shown = null;
    },
  };
};
