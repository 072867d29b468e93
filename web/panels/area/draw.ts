/** Drawing and editing on the map with Terra Draw, as the tool in hand says. */
import type { MapLibreMap } from 'maplibre-gl';
import type { GeoJSONStoreFeatures, HexColor } from 'terra-draw';
import {
  TerraDraw,
  TerraDrawCircleMode,
  TerraDrawLineStringMode,
  TerraDrawModeUndoRedo,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  TerraDrawSelectMode,
  ValidateNotSelfIntersecting,
} from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import type { Position } from '../../shapes/shape.ts';
import { countPositions, polygonsOf } from '../../shapes/shape.ts';
import type { Area, Line, Tool } from '../../state/drawing.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import type { PanelContext } from '../panel-context.ts';

/** What the buttons of the panel do to a shape that is being drawn. */
export interface Draw {
  /** Finishes the shape, if it has enough points. */
  finish(): void;
  /** Takes the last point back; false when there is none. */
  undoPoint(): boolean;
  /** Sets the point again that was taken back last; false when there is none. */
  redoPoint(): boolean;
}

/** More handles than this hide the shape that they belong to. */
const MAX_HANDLES = 500;

/** True for areas that can be edited by dragging their corners: those without holes, of not too many corners. */
export const isEditable = ({ outline }: Area): boolean =>
  countPositions(outline) <= MAX_HANDLES && polygonsOf(outline).every((rings) => rings.length === 1);

const [WHITE, DARK]: readonly HexColor[] = ['#ffffff', '#0e1a22'] as const satisfies HexColor[];

/** Tool → mode of Terra Draw. */
const MODES: Readonly<Record<Tool, string>> = {
  polygon: 'polygon',
  rectangle: 'rectangle',
  circle: 'circle',
  line: 'linestring',
  'edit-area': 'select',
  'edit-line': 'select',
};

const makeTerraDraw = (map: MapLibreMap): TerraDraw => {
  const fill = { fillColor: WHITE, fillOpacity: 0.15, outlineColor: WHITE, outlineWidth: 2 } as const;
  const closing = {
    closingPointColor: WHITE,
    closingPointWidth: 6,
    closingPointOutlineColor: DARK,
    closingPointOutlineWidth: 2,
  } as const;
  // Shapes that cross themselves have no inside, and the server refuses them. Unfinished ones may: the next corner helps.
  const validation = (feature: GeoJSONStoreFeatures, { updateType }: { updateType: string }) =>
    updateType === 'finish' ? ValidateNotSelfIntersecting(feature) : { valid: true as const };
  const keys = { cancel: null, finish: 'Enter' } as const;
  const coordinates = { midpoints: true, draggable: true, deletable: true } as const;
  return new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: 9 }),
    modes: [
      new TerraDrawPolygonMode({ styles: { ...fill, ...closing }, validation, keyEvents: keys }),
      new TerraDrawRectangleMode({ styles: fill, keyEvents: keys }),
      new TerraDrawCircleMode({ styles: fill, keyEvents: keys }),
      new TerraDrawLineStringMode({
        styles: {
          lineStringColor: WHITE,
          lineStringWidth: 3,
          closingPointColor: WHITE,
          closingPointWidth: 6,
          closingPointOutlineColor: DARK,
          closingPointOutlineWidth: 2,
        },
        keyEvents: keys,
      }),
      new TerraDrawSelectMode({
        flags: {
          polygon: { feature: { draggable: true, validation, coordinates } },
          linestring: { feature: { draggable: true, coordinates } },
        },
        keyEvents: { deselect: null, delete: 'Delete', rotate: null, scale: null },
        styles: {
          selectedPolygonColor: WHITE,
          selectedPolygonFillOpacity: 0.15,
          selectedPolygonOutlineColor: WHITE,
          selectedPolygonOutlineWidth: 2,
          selectedLineStringColor: WHITE,
          selectedLineStringWidth: 3,
          selectionPointColor: WHITE,
          selectionPointWidth: 6,
          selectionPointOutlineColor: DARK,
          selectionPointOutlineWidth: 2,
          midPointColor: DARK,
          midPointWidth: 4,
          midPointOutlineColor: WHITE,
          midPointOutlineWidth: 1.5,
        },
      }),
    ],
    undoRedo: { modeLevel: new TerraDrawModeUndoRedo() },
  });
};

const toFeatures = (tool: Tool, { area, drawing: { line } }: ViewerState): GeoJSONStoreFeatures[] => {
  const copy = (positions: readonly Position[]): number[][] => positions.map(([lon, lat]) => [lon, lat]);
  if (tool === 'edit-area' && area !== null) {
    return polygonsOf(area.outline).map((rings) => ({
      type: 'Feature',
      properties: { mode: 'polygon' },
      geometry: { type: 'Polygon', coordinates: rings.map(copy) },
    }));
  }
  if (tool !== 'edit-line' || line === null) return [];
  const geometry = { type: 'LineString' as const, coordinates: copy(line.positions) };
  return [{ type: 'Feature', properties: { mode: 'linestring' }, geometry }];
};

/** The area of drawn polygons, or the line; `null` when nothing is left. */
const toArea = (features: readonly GeoJSONStoreFeatures[], name: string | null): Area | null => {
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates as unknown as readonly (readonly Position[])[]] : [],
  );
  return polygons.length === 0 ? null : { outline: { type: 'MultiPolygon', coordinates: polygons }, name };
};
const toLine = (features: readonly GeoJSONStoreFeatures[], name: string | null): Line | null => {
  const line = features.find(({ geometry }) => geometry.type === 'LineString');
  return line === undefined
    ? null
    : { positions: line.geometry.coordinates as unknown as readonly Position[], name };
};

/** Handles and guides of Terra Draw are features too. */
const isShape = ({ properties }: GeoJSONStoreFeatures): boolean =>
  ['polygon', 'rectangle', 'circle', 'linestring'].includes(String(properties.mode)) &&
  !('coordinatePoint' in properties) &&
  !('closingPoint' in properties) &&
  !('selectionPoint' in properties) &&
  !('midPoint' in properties);

/** The click that ends a shape asks for no values of the picture below it. */
const swallowClick = (canvas: HTMLCanvasElement): void => {
  const swallow = (event: Event): void => event.stopPropagation();
  canvas.addEventListener('click', swallow, { once: true });
  canvas.addEventListener('pointerdown', () => canvas.removeEventListener('click', swallow), { once: true });
};

const started = new WeakMap<MapLibreMap, Draw>();

/** Starts following the tool in hand, once for a map: several panels draw. */
export const startDraw = (context: PanelContext, map: MapLibreMap): Draw => {
  const draw = started.get(map) ?? makeDraw(context, map);
  started.set(map, draw);
  return draw;
};

const makeDraw = ({ store, actions, texts }: PanelContext, map: MapLibreMap): Draw => {
  const draw = makeTerraDraw(map);
  /** While the panel itself changes features, their events say nothing new. */
  let isLoading = false;
  const tool = (): Tool | null => store.read().drawing.tool;
  const load = (now: Tool): void => {
    isLoading = true;
    draw.clear();
    draw.setMode(MODES[now]);
    const results = draw.addFeatures(toFeatures(now, store.read()));
    const [first] = results;
    if (first?.valid === true && first.id !== undefined) draw.selectFeature(first.id);
    isLoading = false;
  };
  const take = (): void => {
    const now = tool();
    const { area, drawing } = store.read();
    const shapes = draw.getSnapshot().filter(isShape);
    if (now === 'edit-line') actions.setLine(toLine(shapes, drawing.line?.name ?? null));
    else if (now === 'edit-area') actions.setArea(toArea(shapes, area?.name ?? null));
    else if (now === 'line') actions.setLine(toLine(shapes, null));
    else if (now !== null) actions.setArea(toArea(shapes, null));
  };
  let own: ViewerState | null = null;
  const takeOwn = (): void => {
    take();
    own = store.read();
  };
  draw.on('finish', (_, { action }) => {
    if (isLoading) return;
    takeOwn();
    if (action !== 'draw') return;
    swallowClick(map.getCanvas());
    // Terra Draw is still in the middle of its own work.
    queueMicrotask(() => actions.setTool(null));
  });
  draw.on('change', (_, type) => {
    const now = tool();
    if (isLoading || type !== 'delete' || (now !== 'edit-area' && now !== 'edit-line')) return;
    if (draw.getSnapshot().some(isShape)) return;
    takeOwn();
    queueMicrotask(() => actions.setTool(null));
  });
  store.watch(
    ({ drawing }) => drawing.tool,
    (now) => {
      if (now === null) {
        if (draw.enabled) draw.stop();
        return;
      }
      if (!draw.enabled) draw.start();
      load(now);
    },
  );
  map.getCanvas().addEventListener('keyup', ({ key }) => {
    if (key !== 'Enter') return;
    // After Terra Draw's own listener: it says nothing where it does not finish.
    setTimeout(() => {
      const now = tool();
      if (now === 'polygon' || now === 'line') actions.report.showError(texts.area.notFinished);
    }, 0);
  });
  // A shape that another hand changed, as undoing does, is edited from there on.
  const reload = (_: unknown, state: ViewerState): void => {
    const now = tool();
    if (now !== 'edit-area' && now !== 'edit-line') return;
    queueMicrotask(() => {
      const isOwn = own !== null && own.area === state.area && own.drawing.line === state.drawing.line;
      if (isOwn || tool() !== now) return;
      if (toFeatures(now, store.read()).length === 0) actions.setTool(null);
      else load(now);
    });
  };
  store.watch(({ area }) => area, reload);
  store.watch(({ drawing }) => drawing.line, reload);
  return {
    // Terra Draw finishes by this key only; phones have none.
    finish: () => map.getCanvas().dispatchEvent(new KeyboardEvent('keyup', { key: 'Enter', bubbles: true })),
    undoPoint: () => draw.enabled && draw.canUndo() && draw.undo(),
    redoPoint: () => draw.enabled && draw.canRedo() && draw.redo(),
  };
};
