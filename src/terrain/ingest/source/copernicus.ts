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

/** What the licence of the Copernicus DEM asks to be shown with it. */
export const COPERNICUS_ATTRIBUTION =
  '© DLR e.V. 2010-2014 and © Airbus Defence and Space GmbH 2014-2018 provided under COPERNICUS by the European Union and ESA; all rights reserved';

/** Tells the tile of a file's name, with or without its ending; null for any other name. */
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
