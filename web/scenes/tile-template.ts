/** A scene's tile address template, as the search gives it: `https://host/api/render/…/{band}/{z}/{x}/{y}`. */

const PLACEHOLDERS = ['{band}', '{z}', '{x}', '{y}'];

/** The template with the bands filled in and `{z}/{x}/{y}` left for a map program; commas stay readable. */
export const fillBands = (tms: string, bands: string): string =>
  // A function, because `$` in a replacement text has a meaning of its own.
  tms.replaceAll('{band}', () => encodeURIComponent(bands).replaceAll('%2C', ','));

/** What the server's own part of an address begins with; before it stand its host, and the path of a proxy. */
const ROOT = '/api/render/';
const MOSAIC_ROOT = '/api/mosaic/';

/** The address, from the page on, of the legend of a template's pictures: the same for all tiles of a scene. */
export const toLegendPath = (template: string): string =>
  toOwnAddress(template, '')
    .replace(/^\/(api\/(?:render|mosaic)\/)/, '$1legend/')
    .replace('{z}/{x}/{y}', '0/0/0');

/** The address, from the page on, of a picture between bounds: `bounds` are its x and y. */
export const toPicturePath = (template: string, bounds: string): string =>
  toOwnAddress(template, '').slice(1).replace('{z}/{x}/{y}', `0/${bounds}`);

/** The address, from the page on, of something the server says of a scene: `api/render/S2/thumb/31/T/…`. */
export const toVerbPath = (viewId: string, verb: string): string => {
  const slash = viewId.indexOf('/');
  return `api/render/${viewId.slice(0, slash)}/${verb}/${viewId.slice(slash + 1)}`;
};

/**
 * The same template under the page's own home. The server writes its public address into `tms`; the page may have been
 * opened by another name of it, and the key must never travel to a host other than the one the page came from.
 */
export const toOwnAddress = (tms: string, home: string): string =>
  home + tms.slice(Math.max(tms.lastIndexOf(ROOT), tms.lastIndexOf(MOSAIC_ROOT)));

/** Where the server of a page lies: its address without what the page adds, and without a slash at the end. */
export const toHome = (pageAddress: string): string => new URL('.', pageAddress).href.slice(0, -1);

/** True when `url` is a tile of this template, whose bands are filled in. */
export const isTileOf = (template: string, url: string): boolean =>
  url.startsWith(template.slice(0, template.indexOf('{z}')));

/** True when `tms` has every placeholder and, its host set aside, is a path to pictures. */
export const isTileTemplate = (tms: string): boolean =>
  /^(https?:\/\/[^/]+)?\/[^/]/i.test(tms) && [ROOT, ...PLACEHOLDERS].every((part) => tms.includes(part));
