/**
 * Hosts that answer only with a key: Azure's (of the Planetary Computer) want a token, and these buckets of Amazon
 * an account that pays.
 */
const CLOSED =
  /\.blob\.core\.windows\.net$|^(?:sentinel-s1-l1c|sentinel-s2-l1c|sentinel-s2-l2a|usgs-landsat|naip-analytic|naip-visualization)\.s3[.-]/;

/** Words of addresses that draw a picture (titiler); any other may be a key, which must not be shown. */
const DRAWING =
  /^(?:collection|items?|assets|asset_bidx|asset_as_band|bidx|expression|rescale|color_formula|colormap_name|nodata|unscale|format|tile_format|resampling|max_size|width|height)$/;

const MAX_CHARS = 2_000;

/** An address that any client can fetch, for a hit to show; null for every other. Relative ones count from `base`. */
export function toOpenAddress(href: string, base: string | null): string | null {
  const url = URL.parse(href) ?? URL.parse(href, base ?? '');
  if (url === null || url.protocol !== 'https:' || url.href.length > MAX_CHARS) return null;
  if (url.username !== '' || url.password !== '' || CLOSED.test(url.hostname)) return null;
  return [...url.searchParams.keys()].every((name) => DRAWING.test(name)) ? url.href : null;
}
