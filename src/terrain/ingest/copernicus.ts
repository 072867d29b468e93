import type { Dem } from '../dem.ts';

/** A tile of the Copernicus DEM by its name. */
export interface CopernicusTile {
  /** Metres a pixel in the name of the product: GLO-30 or GLO-90. */
  readonly product: 30 | 90;
  /** The cell of one degree by its south-west corner: `N00E006`. */
  readonly cell: string;
  /** What the file holds: heights, or another layer such as the water mask (`WBM`). */
  readonly layer: string;
}

/** Names as Copernicus and its mirrors write them; the number is the spacing in tenths of a second of arc. */
const NAME = /^Copernicus_DSM_(?:COG_)?(10|30)_([NS]\d{2})_00_([EW]\d{3})_00(?:_([A-Z]{3}))?$/;

/** The attribution that the licence of the Copernicus DEM requires. */
export const COPERNICUS_ATTRIBUTION =
  '© DLR e.V. 2010-2014 and © Airbus Defence and Space GmbH 2014-2018 provided under COPERNICUS by the European Union and ESA; all rights reserved';

/** Parses the file name of a tile, with or without its extension; null for any other name. */
export function parseCopernicusName(name: string): CopernicusTile | null {
  const match = NAME.exec(name.replace(/\.tiff?$/i, ''));
  if (match === null) return null;
  const [, spacing, latitude = '', longitude = '', layer = 'DEM'] = match;
  return { product: spacing === '10' ? 30 : 90, cell: `${latitude}${longitude}`, layer };
}

/** The last part of a path or address, without a query. */
export const lastPart = (address: string): string =>
  address
    .replace(/[?#].*$/s, '')
    .split('/')
    .at(-1) ?? '';

/** Evidence of a set of tiles about the ground between them. */
interface GapsEvidence {
  /** The tile of every file of the model; null if its name is not that of a tile. */
  readonly tiles: readonly (CopernicusTile | null)[];
  /** The tiles on the set's own list; null without one. */
  readonly listed: readonly CopernicusTile[] | null;
  /** Tiles that were found and could not be read. */
  readonly brokenCount: number;
}

/** The conclusion from the evidence. */
interface GapsVerdict {
  /** Null if the evidence is not conclusive. */
  readonly gaps: Dem['gaps'] | null;
  /** Why there is no sea, and the option that overrides it; null if there is nothing to report. */
  readonly note: string | null;
}

/** The public set of GLO-30 has 26,450 tiles, all land of the earth but a few countries; a regional set has far fewer. */
const WHOLE_WORLD = 26_000;

/**
 * Whether there is sea where a set of Copernicus tiles has none: only if the set is whole, by its own list or by its
 * number. A tile that is on the list and missing from the model is land of unknown height, not sea.
 */
export function decideGaps({ tiles, listed, brokenCount }: GapsEvidence): GapsVerdict {
  const cells = new Set(tiles.flatMap((tile) => (tile === null ? [] : [toKey(tile)])));
  if (cells.size === 0) return { gaps: null, note: null };
  if (listed !== null) {
    const wanted = new Set(listed.map(toKey));
    const missing = [...wanted].filter((key) => !cells.has(key)).length;
    if (missing > 0) {
      return unknown(`${missing} of ${wanted.size} tiles of tileList.txt are not in the model`);
    }
    if (tiles.every((tile) => tile !== null && wanted.has(toKey(tile)))) return { gaps: 'sea', note: null };
  } else if (cells.size >= WHOLE_WORLD) {
    return brokenCount > 0 ? unknown(`${brokenCount} tiles could not be read`) : { gaps: 'sea', note: null };
  }
  return {
    gaps: null,
    note: 'Where the model has no tile the height is unknown: nothing shows that there is sea. If there is, say it with --gaps sea.',
  };
}

const toKey = ({ product, cell }: CopernicusTile): string => `${product} ${cell}`;

const unknown = (why: string): GapsVerdict => ({
  gaps: 'unknown',
  note: `Where the model has no tile the height is unknown, because ${why}. Ingest them too, or say --gaps sea.`,
});
