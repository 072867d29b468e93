/**
 * The picture of a map, and the one before it until the new one is drawn: a person who compares dates or bands sees one
 * turn into the other, and not the bare base map in between.
 */
import type { MapLibreMap, RasterSourceSpecification } from 'maplibre-gl';
import { FIRST_LAYER_ABOVE_IMAGERY } from './base-style.ts';
import { toImageryLayer } from './imagery.ts';

/** Pictures of which the newest is meant to be seen. */
export interface ImageryStack {
  /** Puts a picture on top; those below it go when it is drawn. */
  show(source: RasterSourceSpecification): void;
  /** Takes all pictures off the map. */
  remove(): void;
  /** The pictures go as soon as something else is drawn in their place, which calls `dropRetired`. */
  retire(): void;
  dropRetired(): void;
  setOpacity(opacity: number): void;
  /** Whether the newest picture is drawn, and those below it are gone. */
  isSettled(): boolean;
  /** The lowest layer, before which goes what lies below; `null` without a picture. */
  lowest(): string | null;
}

interface StackOptions {
  /** What the names of its layers and sources begin with. */
  readonly name: string;
  /** Tiles appear gradually, in this time. */
  readonly fadeMs: number;
  /** The newest picture is drawn. */
  onDrawn?(): void;
}

/** Builds it over a map that can take layers. */
export const makeImageryStack = (map: MapLibreMap, { name, fadeMs, onDrawn }: StackOptions): ImageryStack => {
  /** Names of layers and of their sources, the newest last. */
  let ids: readonly string[] = [];
  let count = 0;
  let opacity = 1;
  let isRetired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** A new source is asked for its tiles when the map is rendered next; before that it says that it needs none. */
  let rendered: string | null = null;
  /** The picture that is drawn, with nothing below it. */
  let settled: string | null = null;

  const drop = (id: string): void => {
    if (map.getLayer(id) !== undefined) map.removeLayer(id);
    if (map.getSource(id) !== undefined) map.removeSource(id);
  };
  const settle = (newest: string): void => {
    timer = undefined;
    // Another picture may have come while this one faded in.
    if (ids.at(-1) !== newest) {
      check();
      return;
    }
    const below = ids.slice(0, -1);
    ids = [newest];
    for (const id of below) drop(id);
    settled = newest;
    onDrawn?.();
    // A map that rests already would not say again that it does.
    map.triggerRepaint();
  };
  const check = (): void => {
    const newest = ids.at(-1);
    if (newest === undefined || newest === settled || timer !== undefined) return;
    if (rendered !== newest || !map.isSourceLoaded(newest)) return;
    // The last tiles are still fading in over the picture before.
    timer = setTimeout(() => settle(newest), fadeMs);
  };
  map.on('render', () => {
    rendered = ids.at(-1) ?? null;
    check();
  });
  map.on('sourcedata', check);
  map.on('idle', check);

  const remove = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const all = ids;
    ids = [];
    for (const id of all) drop(id);
  };

  return {
    remove,
    retire() {
      isRetired = true;
    },
    dropRetired() {
      if (isRetired) remove();
    },
    show(source) {
      isRetired = false;
      const id = `${name}-${++count}`;
      map.addSource(id, source);
      map.addLayer(toImageryLayer(id, { opacity, fadeMs }), FIRST_LAYER_ABOVE_IMAGERY);
      // Of several choices in a row only the last drawn picture is worth keeping.
      const [first, ...others] = ids;
      // Before they are dropped, because dropping them fires events of the map that ask for the newest.
      ids = first === undefined ? [id] : [first, id];
      for (const other of others) drop(other);
    },
    setOpacity(next) {
      opacity = next;
      for (const id of ids) map.setPaintProperty(id, 'raster-opacity', next);
    },
    isSettled: () => ids.length === 0 || ids.at(-1) === settled,
    lowest: () => ids[0] ?? null,
  };
};
