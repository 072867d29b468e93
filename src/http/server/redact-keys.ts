/** Takes keys out of a text that is about to be logged. */
export type RedactKeys = (text: string) => string;

/**
 * Builds the redaction: anything that looks like a key of ours or is named like one, signatures of thumbnails, and the secrets of the settings,
 * which look like anything. A secret holds only characters that the normal form of an address leaves unencoded.
 */
export function makeRedactKeys(secrets: readonly string[]): RedactKeys {
  return (text) => {
    const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
    return known
      .replace(/(api[_-]?key(?:=|%3d|%253d))[^&/]*/gi, '$1…')
      .replace(/(\/render\/thumbnails\/)[^/]+/g, '$1…')
      .replace(/apk(?:\.|%2e)[0-9a-f]+/gi, 'apk.…');
  };
}
