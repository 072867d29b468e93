import { canWrite } from '../color/index.ts';
import type { SettingsOf } from './setting.ts';
import { parseCount, parseText } from './setting.ts';

/** Tiles of another server that the viewer shows in place of its own base map. */
export interface BaseMap {
  /** `https://host/{z}/{x}/{y}.png`, or the address of a TileJSON file. */
  readonly url: string;
  readonly attribution: string;
}

/** What the viewer tells and offers people, also those without a key. */
export interface ViewerConfig {
  readonly contact: string;
  readonly guestsPerMinute: number;
  readonly baseMap: BaseMap | null;
}

const EXAMPLE = 'such as "https://tiles.example.org/{z}/{x}/{y}.png © Example"';

/** Reads `address attribution`. The page may then load from the origin of the address, so it must be one that nobody can listen to. */
export function parseBaseMap(text: string): BaseMap {
  const [url = '', ...rest] = parseText(text).split(' ');
  const attribution = rest.join(' ').trim();
  const places = ['{z}', '{x}', '{y}'].filter((place) => url.includes(place));
  const parsed = URL.parse(url.replaceAll(/\{[zxy]\}/g, '0'));
  if (parsed === null || parsed.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') {
    throw new Error(`must begin with an https address, ${EXAMPLE}`);
  }
  // The policy of the page is a header, in which these would end the name of the origin.
  if (/[\s;,'"*]/.test(url.split('?')[0] ?? '') || url.includes('#')) {
    throw new Error(`must hold an address without spaces, commas, quotes and fragments, ${EXAMPLE}`);
  }
  if (places.length !== 0 && places.length !== 3) {
    throw new Error(`must hold all of {z}, {x} and {y}, or none of them for a TileJSON file, ${EXAMPLE}`);
  }
  if (attribution === '') {
    throw new Error(`must name who made the map, after the address and a space, ${EXAMPLE}`);
  }
  return { url, attribution };
}

/** The origin from which the page loads the base map. */
export const toBaseMapOrigin = ({ url }: BaseMap): string =>
  new URL(url.replaceAll(/\{[zxy]\}/g, '0')).origin;

/** The settings of this file. */
export const viewerSettings: SettingsOf<ViewerConfig> = {
  contact: {
    variable: 'SWATH_CONTACT',
    summary: 'Whom people without a key can ask for one, such as an e-mail address; the viewer shows it.',
    fallbackText: '(none)',
    fallback: () => '',
    parse: parseText,
  },
  guestsPerMinute: {
    variable: 'SWATH_GUESTS_PER_MINUTE',
    summary:
      'Requests without a key per minute and client address, or IPv6 /64 network, that may read what a read-only key may read. 0 admits no guests.',
    fallbackText: '0',
    fallback: () => 0,
    parse: (text) => parseCount(text, 0, 100_000),
  },
  baseMap: {
    variable: 'SWATH_BASE_MAP',
    summary:
      'Raster map of another server under the scenes of the viewer: an https address with {z}, {x} and {y}, or of a TileJSON file, then a space and who must be named. Browsers then load tiles from there, and from nowhere else.',
    fallbackText: '(Natural Earth, offline)',
    fallback: () => null,
    parse: parseBaseMap,
    show: (value) => (value === null ? '(Natural Earth, offline)' : `${value.url} ${value.attribution}`),
  },
};

/** The text over previews. */
export function parseWatermark(text: string): string {
  if (text.length > 40 || !canWrite(text)) {
    throw new Error("must be up to 40 letters A to Z, digits and signs of .,:;-_/'()&+!?@#*=");
  }
  return parseText(text);
}
