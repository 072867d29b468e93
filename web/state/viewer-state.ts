/** Everything the page shows, as one value that is never changed in itself. */
import type { Box, Outline } from '../scenes/footprint.ts';
import type { Knowledge } from '../scenes/knowledge.ts';
import type { OwnColormap } from '../scenes/own-colormap.ts';
import type { Picture } from '../scenes/picture.ts';
import { PLAIN_PICTURE } from '../scenes/picture.ts';
import type { Scene } from '../scenes/scene.ts';
import type { ViewerSensor } from '../scenes/sensor.ts';
import type { Terrain } from '../scenes/terrain.ts';
import { NO_TERRAIN } from '../scenes/terrain.ts';
import type { Position, Shape } from '../shapes/shape.ts';
import type { Animation } from './animation.ts';
import type { Comparison, ComparisonAddress } from './comparison.ts';
import type { Downloads } from './downloads.ts';
import { NO_DOWNLOADS } from './downloads.ts';
import type { SeriesState } from './series-state.ts';
import { NO_SERIES } from './series-state.ts';
import type { ZonesState } from './zones-state.ts';
import { NO_ZONES } from './zones-state.ts';

/** Where the map looks. */
export interface MapView {
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

/** A location on the ground. */
export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** The panels of the rail, in their order. */
export const PANELS = ['find', 'look', 'area', 'compare', 'download', 'share', 'settings'] as const;

/** One of them. */
export type PanelName = (typeof PANELS)[number];

/** Where to search: everywhere, in what the map shows, in the chosen area, or at a point (`null` until one is clicked). */
export type Where =
  | { readonly kind: 'everywhere' }
  | { readonly kind: 'view' }
  | { readonly kind: 'area' }
  | { readonly kind: 'point'; readonly point: Point | null };

/** What the user searches for. */
export interface Query {
  /** Days `YYYY-MM-DD`; `null` for no limit. */
  readonly from: string | null;
  readonly to: string | null;
  /** Percent; `null` for any. */
  readonly maxCloudPercent: number | null;
  /** `null` for all datasets. */
  readonly datasets: readonly string[] | null;
  readonly where: Where;
  /** The one day that the calendar narrows the list to. */
  readonly day: string | null;
}

/** A query without any filter. */
export const PLAIN_QUERY: Query = {
  from: null,
  to: null,
  maxCloudPercent: null,
  datasets: null,
  where: { kind: 'everywhere' },
  day: null,
};

/** A day and how many scenes it has. */
export interface DayCount {
  readonly day: string;
  readonly count: number;
}

/** What a search has found so far. */
export interface Results {
  readonly scenes: readonly Scene[];
  readonly found: number;
  /** The page of the search that was read last; 0 before the first. */
  readonly page: number;
  readonly isLoading: boolean;
  /** Whether later pages hold more. */
  readonly hasMore: boolean;
  /** Why the last search failed. */
  readonly failure: string | null;
  /** Days of the scenes without the filter of one day, oldest first. */
  readonly days: readonly DayCount[];
}

/** What the page is busy with as a whole. */
export type Phase =
  | { readonly kind: 'needs-key'; readonly refusal: string | null }
  | { readonly kind: 'waiting'; readonly text: string }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'ready' };

/** A message over the map; errors stay, confirmations go by themselves. */
export interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'done';
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

/** A name and its value at a point; `null` where there is no number. */
export interface NamedValue {
  readonly name: string;
  readonly value: number | null;
}

/** What was read at a clicked point. */
export interface Probe {
  readonly point: Point;
  readonly viewId: string;
  readonly isLoading: boolean;
  readonly failure: string | null;
  readonly bands: readonly NamedValue[];
  readonly indices: readonly NamedValue[];
  /** Metres; `null` where no height is known, or not yet. */
  readonly elevationM: number | null;
}

/** A move of the map that was asked for: to a box, with or without an animation, or to a view. */
export type Goal =
  | { readonly kind: 'box'; readonly box: Box; readonly isAnimated: boolean }
  | { readonly kind: 'view'; readonly view: MapView };

/** An area that the user drew or brought. */
export interface Area {
  readonly outline: Outline;
  /** What the file called it; `null` when it was drawn. */
  readonly name: string | null;
}

/** A line that the user drew or brought. */
export interface Line {
  readonly positions: readonly Position[];
  readonly name: string | null;
}

/** What a click on the map does while shapes are drawn: begins or continues one, or edits it. */
export type Tool = 'polygon' | 'rectangle' | 'circle' | 'line' | 'edit-area' | 'edit-line';

/** The shapes at one time, as undoing needs them. */
export interface Shapes {
  readonly area: Area | null;
  readonly line: Line | null;
}

/** Drawing: the tool in hand, the line, and what there was before. */
export interface Drawing {
  readonly tool: Tool | null;
  readonly line: Line | null;
  /** A point of the line that is pointed at in its profile. */
  readonly marked: Point | null;
  /** Shapes of a file that the user has to choose from. */
  readonly offered: { readonly fileName: string; readonly shapes: readonly Shape[] } | null;
  readonly past: readonly Shapes[];
  readonly future: readonly Shapes[];
}

/** Nothing drawn. */
export const NO_DRAWING: Drawing = {
  tool: null,
  line: null,
  marked: null,
  offered: null,
  past: [],
  future: [],
};

/** The state of the viewer. */
export interface ViewerState {
  readonly phase: Phase;
  readonly knowledge: Knowledge | null;
  /** The open panel; `null` when the map has all the room. */
  readonly panel: PanelName | null;
  readonly query: Query;
  readonly results: Results;
  /** Datasets that have scenes at all. */
  readonly datasets: readonly string[];
  /** The scene on the map. */
  readonly shown: Scene | null;
  /** The scene that the address names and that is still looked for. */
  readonly wanted: { readonly sceneId: string; readonly dataset: string | null } | null;
  /** The scene under the pointer, in the list or on the map. */
  readonly hoveredViewId: string | null;
  readonly picture: Picture;
  /** The sensor the bands were chosen for; `null` when an address brought them. */
  readonly pictureOf: ViewerSensor | null;
  /** Whether the user or the address chose the bands, rather than the viewer. */
  readonly isPictureChosen: boolean;
  /** Choices that turned out to have no files, by scene. */
  readonly missing: Readonly<Record<string, readonly string[]>>;
  readonly opacity: number;
  readonly view: MapView | null;
  /** The ground that the map shows. */
  readonly bounds: Box | null;
  /** Where the map is to go; another value moves it again. */
  readonly goal: Goal | null;
  readonly probe: Probe | null;
  readonly notices: readonly Notice[];
  /** The area of interest: what is searched, measured, clipped and downloaded. */
  readonly area: Area | null;
  readonly drawing: Drawing;
  /** Colormaps that the user made, and one that an address brought. */
  readonly ownColormaps: readonly OwnColormap[];
  /** The order that is being made up, and the tasks of the key. */
  readonly downloads: Downloads;
  /** Two scenes next to each other; `null` while one is shown. */
  readonly comparison: Comparison | null;
  /** The comparison that the address names and whose scenes are still looked for. */
  readonly wantedComparison: ComparisonAddress | null;
  /** The dates of the list as a film; `null` while one scene stands still. */
  readonly animation: Animation | null;
  /** Grows when failed tiles are to be requested again. */
  readonly redraws: number;
  /** The ground under the scene. */
  readonly terrain: Terrain;
  /** The time series of the area. */
  readonly series: SeriesState;
  /** The management zones of the area. */
  readonly zones: ZonesState;
}

/** Results before any search. */
export const NO_RESULTS: Results = {
  scenes: [],
  found: 0,
  page: 0,
  isLoading: false,
  hasMore: false,
  failure: null,
  days: [],
};

/** The state before anything is known. */
export const INITIAL_STATE: ViewerState = {
  phase: { kind: 'loading' },
  knowledge: null,
  panel: 'find',
  query: PLAIN_QUERY,
  results: NO_RESULTS,
  datasets: [],
  shown: null,
  wanted: null,
  hoveredViewId: null,
  picture: PLAIN_PICTURE,
  pictureOf: null,
  isPictureChosen: false,
  missing: {},
  opacity: 1,
  view: null,
  bounds: null,
  goal: null,
  probe: null,
  notices: [],
  area: null,
  drawing: NO_DRAWING,
  ownColormaps: [],
  downloads: NO_DOWNLOADS,
  comparison: null,
  wantedComparison: null,
  animation: null,
  redraws: 0,
  terrain: NO_TERRAIN,
  series: NO_SERIES,
  zones: NO_ZONES,
};

/** Choices that a scene is known to lack. */
export const missingOf = ({ missing }: ViewerState, viewId: string): ReadonlySet<string> =>
  new Set(missing[viewId] ?? []);
