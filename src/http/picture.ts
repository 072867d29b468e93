import { z } from 'zod';
import type { Picture, Renderer } from '../render/index.ts';
import { toPictureGrid } from '../render/index.ts';
import type { ApiRequest, Endpoint } from './endpoint.ts';
import type { Metrics } from './metrics.ts';
import type { NamedThings } from './named-things.ts';
import { findNamedThings } from './named-things.ts';
import { parsePictureQuery, RESAMPLE_NAMES, SWITCH_NAMES } from './picture-query.ts';
import { parsePicturePath } from './render-path.ts';

interface PictureDeps extends NamedThings {
  readonly renderer: Renderer;
  readonly metrics: Metrics;
  /** How long clients may keep a tile before asking again. */
  readonly maxAgeS: number;
}

/** `GET /api/render/{view_id}/{bands}/{z}/{x}/{y}` (interface 4.2, 4.3, 4.5). */
export const picture = (deps: PictureDeps): Endpoint => ({
  summary: 'A map tile of a scene, or an image of any rectangle',
  description:
    'An XYZ tile; or, with bounds in place of x and y, an image of that ground. 256 × 256 pixels in EPSG:3857 unless asked otherwise. Outside of the scene, and of the area, it is transparent.',
  tag: 'Render',
  params: {
    view_id: {
      description: 'From search; holds slashes.',
      schema: z.string(),
      example: 'S2/31/T/DH/2026/6/21/0',
    },
    bands: {
      description:
        'A band, an index such as NDVI or any band math, shown grey; or three of them separated by commas as red, green and blue.',
      schema: z.string(),
      example: 'B04,B03,B02',
    },
    z: { description: 'Zoom, 0 to 24.', schema: z.int().min(0), example: '12' },
    x: {
      description: 'Column of the tile; or bounds, "left;right;code" of a reference system.',
      schema: z.string(),
      example: '2081',
    },
    y: {
      description: 'Row of the tile, from the north; or bounds, "upper;lower;code".',
      schema: z.string(),
      example: '1510',
    },
  },
  query: {
    MIN_MAX: {
      description:
        'Contrast range "min,max"; by default the 2–98 % range of the scene, corrected for clouds.',
      schema: z.string(),
      example: '0,3000',
    },
    CALIBRATE: {
      description:
        'Physical values before band math: reflectance, brightness temperature or sigma nought. Off by default.',
      schema: z.enum(SWITCH_NAMES),
    },
    COMPOSITE: {
      description: '1 for three expressions as red, green and blue; three bands need it not.',
      schema: z.enum(SWITCH_NAMES),
    },
    RESAMPLE: {
      description: 'How pixels are interpolated; by default near for classes and bits, else bilinear.',
      schema: z.enum(RESAMPLE_NAMES),
    },
    COLORMAP: {
      description: "A colormap for one band or expression, by name (matplotlib's, `_r` reverses) or id.",
      schema: z.string(),
      example: 'viridis',
    },
    COLORS_LIMIT: {
      description: 'How many colours a continuous colormap has, 2 to 256.',
      schema: z.string(),
    },
    COLORS: {
      description: 'Colours of ranges, hexadecimal, separated by commas; one more than THRESHOLDS.',
      schema: z.string(),
      example: 'ad0028,fdfec2,007e47',
    },
    THRESHOLDS: {
      description: 'Values between the colours of COLORS, separated by commas.',
      schema: z.string(),
      example: '0.3,0.6',
    },
    PALETTE: {
      description: 'Colours of whole numbers or of quality bits, as a JSON object; all else is transparent.',
      schema: z.string(),
    },
    cropper_ref: {
      description: 'An area that was kept: what lies outside is transparent.',
      schema: z.string().regex(/^[0-9a-f]{32}$/),
    },
    crs: {
      description: 'Reference system of the picture: EPSG:3857 unless told, EPSG:4326, or a UTM zone.',
      schema: z.string(),
      example: 'EPSG:4326',
    },
    TILE_SIZE: {
      description: 'Pixels of the picture, "width,height", up to 2048 each.',
      schema: z.string(),
      example: '600,400',
    },
    mimetype: {
      description: 'Image format; by default JPEG for opaque tiles and PNG for tiles with transparency.',
      schema: z.enum(['image/jpeg', 'image/png', 'image/webp']),
    },
  },
  answers: {
    200: { description: 'The tile.', content: { 'image/png': null, 'image/jpeg': null, 'image/webp': null } },
    304: { description: 'The tile you have (If-None-Match) is still right.' },
    400: { description: 'The path or query is malformed.' },
    404: { description: 'No such scene, tile or area.' },
    422: { description: 'An unsupported band or operation, or a combination that cannot be drawn.' },
    502: { description: 'A file of the scene is damaged or gone.' },
    503: { description: 'Too much work at once; come back after Retry-After seconds.' },
    504: { description: 'The render took too long.' },
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, deps: PictureDeps): Promise<Response> {
  const { renderer, metrics, maxAgeS } = deps;
  const startedAt = performance.now();
  const { place, ...path } = parsePicturePath(request.rawPath.slice('/api/render/'.length));
  const query = parsePictureQuery(request.query);
  const grid = toPictureGrid(place, query);
  const options = await findNamedThings(query, deps);
  const planned = await renderer.plan({ ...path, grid, options });
  const { etag } = planned;
  const planMs = performance.now() - startedAt;
  const headers = new Headers({
    etag: `"${etag}"`,
    'cache-control': `private, max-age=${maxAgeS}`,
    vary: 'x-api-key',
  });
  if (isFresh(request.headers.get('if-none-match'), etag)) {
    headers.set('server-timing', toServerTiming({ plan: planMs }));
    return new Response(null, { status: 304, headers });
  }
  const picture = await renderer.render(planned, {
    owner: request.key?.id ?? 'open',
    signal: request.signal,
  });
  const stages = { plan: planMs, ...picture.stagesMs };
  for (const [stage, ms] of Object.entries(stages)) metrics.observeRender(stage, ms / 1000);
  headers.set('server-timing', toServerTiming({ ...stages, total: performance.now() - startedAt }));
  headers.set('content-type', mediaTypes[picture.format]);
  return new Response(picture.bytes, { headers });
}

const mediaTypes: Readonly<Record<Picture['format'], string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/** RFC 9110 13.1.2: a list of tags, weak ones compare equal to strong ones, `*` matches anything. */
function isFresh(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', `"${etag}"`, `W/"${etag}"`].includes(tag.trim()));
}

const toServerTiming = (stagesMs: Readonly<Record<string, number>>): string =>
  Object.entries(stagesMs)
    .map(([stage, ms]) => `${stage};dur=${ms.toFixed(2)}`)
    .join(', ');
