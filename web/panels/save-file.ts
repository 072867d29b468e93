/** Giving the user a file that the page has made. */

/** Long enough for a browser to have taken the bytes. */
const RELEASE_MS = 60_000;

/** Saves bytes under a name, as the browser saves downloads. */
export const saveBlob = (name: string, file: Blob): void => {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_MS);
};

/** Saves a text. */
export const saveFile = (name: string, type: string, text: string): void =>
  saveBlob(name, new Blob([text], { type }));

/** Saves GeoJSON. */
export const saveGeoJson = (name: string, text: string): void => saveFile(name, 'application/geo+json', text);
