/** What bands, compositions and indices are called in the language of the page. */
import type { Texts } from '../texts/en.ts';
import type { Band, SensorIndex, ViewerSensor } from './sensor.ts';

/** What the band measures; a band without a role is named by its wavelength, from infrared at 700 nm on. */
const titleOfKind = ({ role, kind, centreNm }: Band, { roles, kinds }: Texts): string => {
  const byRole = role === null ? undefined : roles[role];
  if (byRole !== undefined) return byRole;
  if (kind !== 'reflective') return kinds[kind];
  if (centreNm === null) return kinds.reflective;
  if (centreNm >= 1000) return kinds.shortWave;
  return centreNm >= 700 ? kinds.nearInfrared : kinds.visible;
};

/** `665 nm`; thermal wavelengths are read in micrometres: `10.9 µm`. */
const toWavelength = (centreNm: number, locale: string): string =>
  centreNm < 3000
    ? `${Math.round(centreNm)} nm`
    : `${new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(centreNm / 1000)} µm`;

/** `Red, 665 nm`. */
export const titleOfBand = (band: Band, texts: Texts): string =>
  band.centreNm === null
    ? titleOfKind(band, texts)
    : `${titleOfKind(band, texts)}, ${toWavelength(band.centreNm, texts.locale)}`;

/** The name and the hint of a composition; one of the sensor's own is called after its band. */
export const titleOfComposition = (
  { compositions, bands }: ViewerSensor,
  shown: string,
  texts: Texts,
): { readonly title: string; readonly hint: string } | null => {
  const composition = compositions.find((one) => one.bands === shown);
  if (composition === undefined) return null;
  const words = composition.name === null ? undefined : texts.compositions[composition.name];
  if (words !== undefined) return words;
  const band = bands.find(({ name }) => name === shown);
  if (band === undefined) return { title: shown.replaceAll(',', ' '), hint: '' };
  // Radar bands are known by their polarisation, which is their name.
  const title = band.kind === 'radar' ? band.name : titleOfKind(band, texts);
  return { title, hint: titleOfBand(band, texts) };
};

/** The title and the line of an index. */
export const wordsOfIndex = (
  { name, title, description }: SensorIndex,
  { indices }: Texts,
): { readonly title: string; readonly description: string } => indices[name] ?? { title, description };

/** What is shown, as a heading: `Natural colour`, `NDVI Vegetation`, `B8A Narrow near infrared, 865 nm`, or its text. */
export const titleOfShown = (sensor: ViewerSensor, shown: string, texts: Texts): string => {
  const composition = titleOfComposition(sensor, shown, texts);
  if (composition !== null) return composition.title;
  const index = sensor.indices.find(({ name }) => name === shown);
  if (index !== undefined) return `${index.name} ${wordsOfIndex(index, texts).title}`;
  const band = sensor.bands.find(({ name }) => name === shown);
  return band === undefined ? shown : `${band.name} ${titleOfBand(band, texts)}`;
};
