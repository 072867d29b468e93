/** The Sentinel-2 bands and compositions a person can choose; names and wavelengths as in ESA's MSI handbook. */

/** A band as offered in the single-band list. */
export interface Band {
  readonly id: string;
  readonly title: string;
}

/** Three bands shown as red, green and blue. */
export interface Composition {
  readonly bands: string;
  readonly title: string;
  readonly hint: string;
}

/** Central wavelengths of Sentinel-2A, rounded to nanometres. */
export const BANDS: readonly Band[] = [
  { id: 'B01', title: 'Coastal aerosol, 443 nm' },
  { id: 'B02', title: 'Blue, 492 nm' },
  { id: 'B03', title: 'Green, 560 nm' },
  { id: 'B04', title: 'Red, 665 nm' },
  { id: 'B05', title: 'Red edge, 704 nm' },
  { id: 'B06', title: 'Red edge, 741 nm' },
  { id: 'B07', title: 'Red edge, 783 nm' },
  { id: 'B08', title: 'Near infrared, 833 nm' },
  { id: 'B8A', title: 'Narrow near infrared, 865 nm' },
  { id: 'B09', title: 'Water vapour, 945 nm' },
  { id: 'B10', title: 'Cirrus, 1374 nm' },
  { id: 'B11', title: 'Short-wave infrared, 1614 nm' },
  { id: 'B12', title: 'Short-wave infrared, 2202 nm' },
];

/** The compositions with a button of their own; the first is shown when nothing else was asked for. */
export const COMPOSITIONS: readonly [Composition, ...Composition[]] = [
  { bands: 'B04,B03,B02', title: 'Natural colour', hint: 'as the eye sees it' },
  { bands: 'B08,B04,B03', title: 'False colour', hint: 'vegetation in red' },
  { bands: 'B12,B8A,B04', title: 'SWIR', hint: 'moisture, burns and bare soil' },
];

/** True for one known band, or three known bands joined by commas. */
export const isBandChoice = (text: string): boolean => {
  const ids = text.split(',');
  return (ids.length === 1 || ids.length === 3) && ids.every((id) => BANDS.some((band) => band.id === id));
};
