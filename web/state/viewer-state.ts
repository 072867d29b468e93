/** Everything the page shows, as one value that is never changed in itself. */
import type { Legend } from '../api/legend.ts';
import type { About } from '../scenes/about.ts';
import type { Box } from '../scenes/footprint.ts';
import type { Knowledge } from '../scenes/knowledge.ts';
import type { OwnColormap } from '../scenes/own-colormap.ts';
import type { Picture } from '../scenes/picture.ts';
import { PLAIN_PICTURE } from '../scenes/picture.ts';
import type { Scene } from '../scenes/scene.ts';
import type { ViewerSensor } from '../scenes/sensor.ts';
import type { Terrain } from '../scenes/terrain.ts';
import { NO_TERRAIN } from '../scenes/terrain.ts';
import type { SharedMap } from '../shared/shared-map.ts';
import type { Animation } from './animation.ts';
import type { ClearState } from './clear-view.ts';
import type { Comparison, ComparisonAddress } from './comparison.ts';
import type { Downloads } from './downloads.ts';
import { NO_DOWNLOADS } from './downloads.ts';
import type { Area, Drawing } from './drawing.ts';
import { NO_DRAWING } from './drawing.ts';
import type { Goal, MapView, Point } from './map-view.ts';
import type { MeasureState } from './measure-state.ts';
import { NO_MEASURE } from './measure-state.ts';
import type { Probe } from './probe.ts';
import type { Query, Results } from './search-state.ts';
import { NO_RESULTS, PLAIN_QUERY } from './search-state.ts';
import type { SeriesState } from './series-state.ts';
import { NO_SERIES } from './series-state.ts';
import type { ZonesState } from './zones-state.ts';
import { NO_ZONES } from './zones-state.ts';

/** The panels of the rail, in their order. */
export const PANELS = [
  'find',
  'look',
  'area',
  'fields',
  'measure',
  'compare',
  'download',
  'share',
  'settings',
] as const;

/** One of them. */
export type PanelName = (typeof PANELS)[number];

/** What the page is busy with as a whole. */
export type Phase =
  | { readonly kind: 'needs-key'; readonly refusal: string | null }
  | { readonly kind: 'waiting'; readonly text: string }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'empty' }
  /** A map that a link shows without a key. */
  | { readonly kind: 'shared'; readonly map: SharedMap; readonly legend: Legend | null }
  /** A link that shows nothing any more. */
  | { readonly kind: 'not-shared'; readonly text: string }
  | { readonly kind: 'ready' };

/** A message over the map; errors stay, confirmations go by themselves. */
export interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'done';
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

/** The state of the viewer. */
export interface ViewerState extends ClearState {
  // The page.
  /** What the operator has set; `null` until it is known. */
  readonly about: About | null;
  /** Whether the browser has the session of a person who has signed in. */
  readonly isSignedIn: boolean;
  readonly phase: Phase;
  /** What the server knows: sensors, colormaps, functions. */
  readonly knowledge: Knowledge | null;
  /** The open panel; `null` when the map has all the room. */
  readonly panel: PanelName | null;
  readonly notices: readonly Notice[];

  // Find.
  readonly query: Query;
  readonly results: Results;
  /** Datasets that have scenes at all. */
  readonly datasets: readonly string[];
  /** The scene under the pointer, in the list or on the map. */
  readonly hoveredViewId: string | null;
  /** The scene that the address names and that is still looked for. */
  readonly wanted: { readonly sceneId: string; readonly dataset: string | null } | null;

  // Look.
  /** The scene on the map; with a clear view, the one that its picture was chosen for. */
  readonly shown: Scene | null;
  readonly picture: Picture;
  /** The sensor the bands were chosen for; `null` when an address brought them. */
  readonly pictureOf: ViewerSensor | null;
  /** Whether the user or the address chose the bands, rather than the viewer. */
  readonly isPictureChosen: boolean;
  /** Choices that turned out to have no files, by scene. */
  readonly missing: Readonly<Record<string, readonly string[]>>;
  /** Colormaps that the user made, and one that an address brought. */
  readonly ownColormaps: readonly OwnColormap[];
  readonly opacity: number;
  /** The ground under the scene. */
  readonly terrain: Terrain;
  readonly probe: Probe | null;

  // The map.
  readonly view: MapView | null;
  /** The ground that the map shows. */
  readonly bounds: Box | null;
  /** Where the map is to go; another value moves it again. */
  readonly goal: Goal | null;
  /** The place that was looked for, marked on the map. */
  readonly place: (Point & { readonly name: string }) | null;
  /** A file that is to become fields; the panel of fields takes it. */
  readonly fieldFile: File | null;
  /** Grows when failed tiles are to be requested again. */
  readonly redraws: number;

  // Area.
  /** The area of interest: what is searched, measured, clipped and downloaded. */
  readonly area: Area | null;
  readonly drawing: Drawing;
  /** The time series of the area. */
  readonly series: SeriesState;
  /** The management zones of the area. */
  readonly zones: ZonesState;
  /** Classes of values, of the area or of what the map shows. */
  readonly measure: MeasureState;

  // Compare.
  /** Two scenes next to each other; `null` while one is shown. */
  readonly comparison: Comparison | null;
  /** The comparison that the address names and whose scenes are still looked for. */
  readonly wantedComparison: ComparisonAddress | null;
  /** The dates of the list as a film; `null` while one scene stands still. */
  readonly animation: Animation | null;

  // Download.
  /** The order that is being made up, and the tasks of the key. */
  readonly downloads: Downloads;
}

/** The state before anything is known. */
export const INITIAL_STATE: ViewerState = {
  about: null,
  isSignedIn: false,
  phase: { kind: 'loading' },
  knowledge: null,
  panel: 'find',
  notices: [],
  query: PLAIN_QUERY,
  results: NO_RESULTS,
  datasets: [],
  hoveredViewId: null,
  wanted: null,
  shown: null,
  clearView: null,
  newestDay: null,
  mapNote: null,
  picture: PLAIN_PICTURE,
  pictureOf: null,
  isPictureChosen: false,
  missing: {},
  ownColormaps: [],
  opacity: 1,
  terrain: NO_TERRAIN,
  probe: null,
  view: null,
  bounds: null,
  goal: null,
  place: null,
  fieldFile: null,
  redraws: 0,
  area: null,
  drawing: NO_DRAWING,
  series: NO_SERIES,
  zones: NO_ZONES,
  measure: NO_MEASURE,
  comparison: null,
  wantedComparison: null,
  animation: null,
  downloads: NO_DOWNLOADS,
};

/** Choices that a scene is known to lack. */
export const missingOf = ({ missing }: ViewerState, viewId: string): ReadonlySet<string> =>
  new Set(missing[viewId] ?? []);

/** Whether searches ask public catalogs, which have scenes of the whole Earth. */
export const isLive = ({ knowledge }: Pick<ViewerState, 'knowledge'>): boolean =>
  knowledge !== null && knowledge.origins.catalogs.length > 0;
