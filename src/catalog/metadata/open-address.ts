/**
 * Hosts that need credentials: Azure (Planetary Computer) wants a token, and these buckets of Amazon an account that
 * pays for requests.
 */
const CLOSED =
  /\.blob\.core\.windows\.net$|^(?:sentinel-s1-l1c|sentinel-s2-l1c|sentinel-s2-l2a|usgs-landsat|naip-analytic|naip-visualization)\.s3[.-]/;

/** Query parameters of titiler that draw a picture; any other may be a secret. */
const DRAWING =
  /^(?:collection|items?|assets|asset_bidx|asset_as_band|bidx|expression|rescale|color_formula|colormap_name|nodata|unscale|format|tile_format|resampling|max_size|width|height)$/;

const MAX_CHARS = 2_000;

/** An address for a hit that any client can fetch; null for any other. Relative addresses start from `base`. */
export function toOpenAddress(href: string, base: string | null): string | null {
  const url = URL.parse(href) ?? URL.parse(href, base ?? '');
  if (url === null || url.protocol !== 'https:' || url.href.length > MAX_CHARS) return null;
  if (url.username !== '' || url.password !== '' || CLOSED.test(url.hostname)) return null;
  return [...url.searchParams.keys()].every((name) => DRAWING.test(name)) ? url.href : null;
}
