/** What the fake server answers with: tests set it, and may change it while the server runs. */
import type { SearchedCatalog } from '../../src/http/index.ts';
import type { makeFakeFields } from './fake-fields.ts';
import type { makeFakeLinks } from './fake-links.ts';
import type { Rgb } from './map-pixels.ts';

/** A search hit, as far as the viewer looks at it. */
export interface FakeScene {
  readonly sceneID: string;
  readonly view_id: string;
  readonly date: string;
  readonly cloudCoverage?: number;
  readonly sunElevation?: number;
  readonly polarization?: string;
  readonly thumbnail?: string;
  /** The dataset. */
  readonly satellite: string;
  readonly dataGeometry: { readonly type: 'Polygon'; readonly coordinates: number[][][] };
}

/** What a test may change while the server runs. */
export interface FakeState {
  acceptedKey: string;
  /** What templates of tiles begin with. */
  publicUrl: string;
  /** Newest first. */
  scenes: FakeScene[];
  /** How many scenes a search without a filter answers, as if there were more than a page. */
  pageLimit: number;
  /** Live catalogs, and what the answer to every search says of them. */
  catalogs: readonly SearchedCatalog[];
  catalogNotes: readonly object[];
  /** What the operator has set. */
  about: { contact: string | null; guests: boolean; base_map: object | null };
  /** Recipes and their public maps. */
  links: ReturnType<typeof makeFakeLinks>;
  /** Fields of the key. */
  fields: ReturnType<typeof makeFakeFields>;
  /** Whether the demo world is among the scenes. */
  hasDemo: boolean;
  /** What `/readyz` waits for, or `null` when ready. */
  waiting: string | null;
  /** No land and no borders: most tests do not look at them, and cutting them into tiles takes a second or two. */
  isWorldEmpty: boolean;
  /** The answer to every tile, instead of a tile. */
  tileFailure: { readonly status: number; readonly error: string; readonly code?: string } | null;
  /** As during a restart: every connection is closed without an answer. */
  isDown: boolean;
  /** How many more requests of tiles and thumbnails are refused for now. */
  refusals: number;
  /** Bands without a fixed range of natural colour. */
  notNatural: readonly string[];
  /** Bands no scene has a file of. */
  missingBands: readonly string[];
  /** The colour of a tile; `query` is the part after the question mark. */
  colorOf: (tile: {
    viewId: string;
    bands: string;
    z: number;
    x: number;
    y: number;
    query: URLSearchParams;
  }) => Rgb;
  /** The answer to every legend. */
  legend: unknown;
  /** The colour of every thumbnail. */
  thumbnail: Rgb;
  /** The value of a band or index at every point. */
  valueOf: (name: string) => number | null;
  /** The answer to every order of classes; a text is refused with it. */
  classesOf: (order: Readonly<Record<string, unknown>>) => object | string;
  /** The height of every point. */
  elevationM: number | null;
}
