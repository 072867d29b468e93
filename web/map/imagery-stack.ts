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
  let isSettling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** A new source is asked for its tiles when the map is rendered next; before that it says that it needs none. */
  let rendered: string | null = null;
  /** The newest source that was asked for its tiles before the map does so itself. */
  let asked: string | null = null;
  /** The picture that is drawn, with nothing below it. */
  let settled: string | null = null;

  /** The picture below keeps the tiles it has: those of another view would take the place of the new picture's in the queue. */
  const freeze = (id: string): void => map.style.tileManagers[id]?.pause();
  const drop = (id: string): void => {
    if (map.getLayer(id) !== undefined) map.removeLayer(id);
    if (map.getSource(id) !== undefined) map.removeSource(id);
  };
  const settle = (newest: string): void => {
    isSettling = false;
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
    if (newest === undefined || newest === settled || isSettling) return;
    if (rendered !== newest || !map.isSourceLoaded(newest)) return;
    isSettling = true;
    // The last tiles are still fading in over the picture before. Tiles that appear at once are all in the next frame,
    // and one frame draws the new picture without the one before. Not at once: MapLibre is in the middle of something.
    if (fadeMs > 0) timer = setTimeout(() => settle(newest), fadeMs);
    else queueMicrotask(() => settle(newest));
  };
  /** MapLibre reads a source after the frame that follows its making, and asks for tiles a frame later: this asks at once. */
  const askForTiles = (id: string): void => {
    const tiles = map.style.tileManagers[id];
    // Before the first frame the map does not know yet that a layer uses the source.
    if (tiles?.used) tiles.update(map._camera.transform, map.terrain);
  };
  map.on('render', () => {
    rendered = ids.at(-1) ?? null;
    check();
  });
  map.on('sourcedata', ({ sourceId, sourceDataType }) => {
    // Not when its metadata comes: the event of its content, which follows, would ask for the same tiles again.
    if (sourceDataType === 'content' && sourceId === ids.at(-1) && sourceId !== asked) {
      asked = sourceId;
      askForTiles(sourceId);
    }
    check();
  });
  map.on('idle', check);

  const remove = (): void => {
    clearTimeout(timer);
    isSettling = false;
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
      if (first !== undefined) freeze(first);
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
