/** The area and the line: choosing them, undoing, clipping the picture, and searching by them. */
import { toBox } from '../scenes/footprint.ts';
import type { Position, Shape } from '../shapes/shape.ts';
import { countPositions, MAX_POSITIONS, toTidyLine, toTidyOutline } from '../shapes/shape.ts';
import { toLineText, toOutlineText } from '../shapes/shape-text.ts';
import type { Address } from '../state/address.ts';
import type { Side } from '../state/comparison.ts';
import type { Area, Drawing, Line, Shapes, Tool } from '../state/drawing.ts';
import type { Point } from '../state/map-view.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';
import { makeLatest } from './latest.ts';
import type { Report } from './report.ts';
import { toFailureOf } from './report.ts';
import type { SearchActions } from './search.ts';

/** What a user does with shapes. */
export interface ShapeActions {
  /** Chooses the area of interest; `null` for none. */
  setArea(area: Area | null): void;
  /** Chooses the line; `null` for none. */
  setLine(line: Line | null): void;
  /** Takes a tool for drawing in hand, or puts it away. */
  setTool(tool: Tool | null): void;
  undoShapes(): void;
  redoShapes(): void;
  /** Shapes of a file: one is chosen, several are offered. */
  offerShapes(fileName: string, shapes: readonly Shape[]): void;
  /** Opens the panel of fields, which imports the file. */
  bringFields(file: File): void;
  /** The panel of fields has the file. */
  takeFieldFile(): void;
  /** Takes one of the offered shapes, and shows it. */
  chooseShape(shape: Shape): void;
  /** No more shapes to choose from. */
  closeOffer(): void;
  /** Moves the map to the area or the line. */
  fitShape(kind: Shape['kind']): void;
  /** Draws the picture inside the area only, or everywhere again. */
  clipToArea(isClipped: boolean): Promise<void>;
  /** Searches scenes of the area. */
  searchArea(): Promise<void>;
  /** Marks a point of the line; `null` for none. */
  markOnLine(point: Point | null): void;
  /** Takes the shapes that an address brought; `null` parts are taken away. */
  followShapes(address: Address): void;
  /** Checks the area of a clipped picture that an address brought, and fetches the area if the address has none. */
  restoreClip(): Promise<void>;
}

/** As many steps as anyone wants back. */
const MAX_PAST = 50;

/** The shapes of a state. */
const shapesOf = ({ area, drawing }: ViewerState): Shapes => ({ area, line: drawing.line });

/** True for shapes of the same points. */
const areSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The box around a line. */
const boxOfLine = (positions: readonly Position[]): ReturnType<typeof toBox> =>
  toBox({ type: 'Polygon', coordinates: [positions] });

/** Builds them. */
export const makeShapeActions = (
  { store, api, texts, shapes }: ActionParts,
  { report, search }: { readonly report: Report; readonly search: SearchActions },
): ShapeActions => {
  const latest = makeLatest();
  const setDrawing = (change: Partial<Drawing>): void =>
    store.update((state) => ({ ...state, drawing: { ...state.drawing, ...change } }));
  /** Clips every picture of the page: two that are compared show the same ground. */
  const setClip = (clip: string | null): void =>
    store.update((state) => {
      if (state.picture.clip === clip) return state;
      const { picture, comparison } = state;
      const toClipped = (side: Side): Side => ({ ...side, picture: { ...side.picture, clip } });
      return {
        ...state,
        picture: { ...picture, clip },
        comparison: comparison && {
          ...comparison,
          left: toClipped(comparison.left),
          right: toClipped(comparison.right),
        },
      };
    });

  const clip = async (): Promise<void> => {
    const { area } = store.read();
    const signal = latest.start();
    if (area === null) return setClip(null);
    try {
      const ref = await api.storeArea(area.outline, signal);
      if (!signal.aborted) setClip(ref);
    } catch (error) {
      if (signal.aborted) return;
      // The picture of another area would be a lie.
      setClip(null);
      report.fail(error);
    }
  };

  /** What follows another area: its picture and its scenes. */
  const followArea = (): void => {
    const { area, picture, query, phase } = store.read();
    if (area !== null && toOutlineText(area.outline) === null && !shapes.storeArea(area)) {
      report.showError(texts.area.notStored);
    }
    if (picture.clip !== null) void clip();
    if (query.where.kind === 'area' && phase.kind === 'ready') void search.setQuery({});
  };

  /** A line that is too long for the address stays in the tab. */
  const storeLine = (line: Line | null): void => {
    if (line === null || toLineText(line.positions) !== null || shapes.storeLine(line)) return;
    report.showError(texts.area.lineNotStored);
  };

  /** Replaces the shapes; `past` and `future` say what can be undone after that. */
  const replace = (
    next: Partial<Shapes>,
    toHistory: (drawing: Drawing, before: Shapes) => Pick<Drawing, 'past' | 'future'>,
  ): void => {
    const before = shapesOf(store.read());
    const { area, line } = { ...before, ...next };
    store.update((state) => ({
      ...state,
      area,
      drawing: { ...state.drawing, line, marked: null, ...toHistory(state.drawing, before) },
    }));
    if (area !== before.area) followArea();
    if (line !== before.line) storeLine(line);
  };
  const change = (next: Partial<Shapes>): void =>
    replace(next, ({ past }, before) => ({ past: [...past, before].slice(-MAX_PAST), future: [] }));

  const setArea = (area: Area | null): void => {
    const outline = area === null ? null : toTidyOutline(area.outline);
    if (area === null && store.read().area === null) return;
    change({ area: area === null || outline === null ? null : { ...area, outline } });
  };
  const setLine = (line: Line | null): void => {
    const positions = line === null ? null : toTidyLine(line.positions);
    if (line === null && store.read().drawing.line === null) return;
    change({ line: line === null || positions === null ? null : { ...line, positions } });
  };

  const fitShape = (kind: Shape['kind']): void =>
    store.update((state) => {
      const { area, line } = shapesOf(state);
      if (kind === 'area' && area !== null) {
        return { ...state, goal: { kind: 'box', box: toBox(area.outline), isAnimated: true } };
      }
      if (kind === 'area' || line === null) return state;
      return { ...state, goal: { kind: 'box', box: boxOfLine(line.positions), isAnimated: true } };
    });

  const chooseShape = (shape: Shape): void => {
    const count = shape.kind === 'area' ? countPositions(shape.outline) : shape.positions.length;
    if (count > MAX_POSITIONS) {
      report.showError(texts.area.tooManyPositions(count, MAX_POSITIONS));
      return;
    }
    if (shape.kind === 'area') setArea({ outline: shape.outline, name: shape.name });
    else setLine({ positions: shape.positions, name: shape.name });
    fitShape(shape.kind);
  };

  return {
    setArea,
    setLine,
    setTool: (tool) => setDrawing({ tool, ...(tool === null ? {} : { offered: null }) }),
    undoShapes() {
      const { past } = store.read().drawing;
      const before = past.at(-1);
      if (before === undefined) return;
      replace(before, ({ future }, now) => ({ past: past.slice(0, -1), future: [...future, now] }));
    },
    redoShapes() {
      const { future } = store.read().drawing;
      const next = future.at(-1);
      if (next === undefined) return;
      replace(next, ({ past }, now) => ({ past: [...past, now], future: future.slice(0, -1) }));
    },
    offerShapes(fileName, offered) {
      const [first] = offered;
      setDrawing({ tool: null, offered: offered.length > 1 ? { fileName, shapes: offered } : null });
      if (first !== undefined && offered.length === 1) chooseShape(first);
    },
    bringFields: (fieldFile) => store.update((state) => ({ ...state, panel: 'fields', fieldFile })),
    takeFieldFile: () => store.update((state) => ({ ...state, fieldFile: null })),
    chooseShape,
    closeOffer: () => setDrawing({ offered: null }),
    fitShape,
    clipToArea(isClipped) {
      if (isClipped) return clip();
      latest.cancel();
      setClip(null);
      return Promise.resolve();
    },
    async searchArea() {
      store.update((state) => ({ ...state, panel: 'find' }));
      await search.setQuery({ where: { kind: 'area' }, day: null });
    },
    markOnLine: (marked) => setDrawing({ marked }),
    followShapes({ area, line }) {
      const before = shapesOf(store.read());
      const brought: Shapes = {
        area: area === 'stored' ? shapes.readArea() : area && { outline: area, name: null },
        line: line === 'stored' ? shapes.readLine() : line && { positions: line, name: null },
      };
      if (area === 'stored' && brought.area === null) report.showError(texts.area.lost);
      if (line === 'stored' && brought.line === null) report.showError(texts.area.lineLost);
      const isSameArea = areSame(brought.area?.outline, before.area?.outline);
      const isSameLine = areSame(brought.line?.positions, before.line?.positions);
      // Steps through other choices are none of the shapes, and nothing to undo.
      if (isSameArea && isSameLine) return;
      const next = isSameArea ? before.area : brought.area;
      const nextLine = isSameLine ? before.line : brought.line;
      // The picture and the search are brought by the address too, and need not follow the area.
      store.update((state) => ({
        ...state,
        area: next,
        drawing: {
          ...state.drawing,
          line: nextLine,
          marked: null,
          past: [...state.drawing.past, before].slice(-MAX_PAST),
          future: [],
        },
      }));
    },
    async restoreClip() {
      const { picture, area } = store.read();
      if (picture.clip === null) return;
      const signal = latest.start();
      try {
        const outline = await api.readArea(picture.clip, signal);
        if (signal.aborted || area !== null) return;
        const tidy = toTidyOutline(outline);
        if (tidy !== null) store.update((state) => ({ ...state, area: { outline: tidy, name: null } }));
        if (store.read().query.where.kind === 'area') void search.setQuery({});
      } catch (error) {
        if (signal.aborted) return;
        // Deleted, or of another server: an area that the address holds is stored again.
        if (toFailureOf(error).status === 404 && area !== null) return clip();
        setClip(null);
        if (toFailureOf(error).status === 404) report.showError(texts.area.clipLost);
        else report.fail(error);
      }
    },
  };
};
