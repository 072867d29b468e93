/** Giving the user a file that the page has made. */
import { el } from './dom.ts';

/** Long enough for a browser to have taken the bytes. */
const RELEASE_MS = 60_000;

/** Saves a text under a name, as the browser saves downloads. */
export const saveFile = (name: string, type: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS);
};

/** Saves GeoJSON. */
export const saveGeoJson = (name: string, text: string): void => saveFile(name, 'application/geo+json', text);
