/** Files that the page makes. */

/** Hands the file to the browser, which saves it. */
export const saveGeoJson = (text: string, fileName: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/geo+json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 0);
};
