/** A scene's tile address template, as the search gives it: `https://host/api/render/…/{band}/{z}/{x}/{y}`. */

const PLACEHOLDERS = ['{band}', '{z}', '{x}', '{y}'];

/** The template with the bands filled in and `{z}/{x}/{y}` left for a map program. */
export const fillBands = (tms: string, bands: string): string => tms.replaceAll('{band}', bands);

/** The template with a colormap asked for, or as it is. */
export const addColormap = (template: string, colormap: string | null): string =>
  colormap === null ? template : `${template}?COLORMAP=${colormap}`;

/** The path of the legend of a template's pictures, which is the same for all tiles of a scene. */
export const toLegendPath = (template: string): string =>
  toOwnOrigin(template, '').replace('/api/render/', '/api/render/legend/').replace('{z}/{x}/{y}', '0/0/0');

/**
 * The same template on the page's own origin. The server writes its public address into `tms`; the page may have been
 * opened by another name of it, and the key must never travel to a host other than the one the page came from.
 */
export const toOwnOrigin = (tms: string, origin: string): string =>
  origin + tms.replace(/^https?:\/\/[^/]*/i, '');

/** True when `url` is a tile of this template, whose bands are filled in. */
export const isTileOf = (template: string, url: string): boolean =>
  url.startsWith(template.slice(0, template.indexOf('{z}')));

/** True when `tms` has every placeholder and, its host set aside, is a path. */
export const isTileTemplate = (tms: string): boolean =>
  /^(https?:\/\/[^/]+)?\/[^/]/i.test(tms) && PLACEHOLDERS.every((placeholder) => tms.includes(placeholder));
