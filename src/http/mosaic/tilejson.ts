import type { MosaicExtent, MosaicSearch } from '../../mosaic/index.ts';
import { toZooms } from '../../mosaic/index.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import type { MapFacts } from '../kit/tilejson.ts';
import { answerTilejson, tilejsonSchema, toTilejson } from '../kit/tilejson.ts';
import { parsePictureQuery, pictureParameters } from '../pictures/picture.ts';
import type { AttributionDeps } from './attribution.ts';
import { nameSources } from './attribution.ts';
import type { MosaicDeps } from './mosaic-picture.ts';
import { mosaicParameters, mosaicPathParameters, parseMosaicPath, toMosaic } from './mosaic-request.ts';

/** `GET /api/mosaic/tilejson/{sensors}/{period}/{bands}`. */
export const mosaicTilejson = (deps: MosaicDeps & AttributionDeps): Endpoint => ({
  summary: 'TileJSON of a mosaic',
  description:
    'TileJSON 3.0 for map libraries, with the query of the tiles and the attribution of the scenes.',
  tag: 'Mosaic',
  params: mosaicPathParameters,
  query: { ...pictureParameters, ...mosaicParameters },
  answers: {
    200: { description: 'The document.', content: { 'application/json': tilejsonSchema() } },
    400: { description: 'The path or query is malformed.' },
    404: { description: 'No such area or colormap.' },
  },
  async handle(request) {
    const path = parseMosaicPath(request.rawPath, 'tilejson/', 0);
    // Refused here rather than by every tile.
    parsePictureQuery(request.query);
    const { search, bands } = await toMosaic(path, request.query, deps.areas);
    const extent = await deps.mosaics.describe(search);
    const passed = new URLSearchParams([...request.query]).toString();
    const [sensors, period] = request.rawPath.slice('/api/mosaic/tilejson/'.length).split('/');
    const tiles = `${request.publicUrl}/api/mosaic/${sensors}/${period}/${encodeURIComponent(bands)}/{z}/{x}/{y}`;
    return answerTilejson(
      toTilejson(await describeMosaic(search, extent, deps), {
        name: `${bands}, ${search.period.from} to ${search.period.to}`,
        template: passed === '' ? tiles : `${tiles}?${passed}`,
      }),
    );
  },
});

/** Bounds, zoom levels and attribution of a mosaic, as TileJSON states them. */
export async function describeMosaic(
  { datasets, period }: MosaicSearch,
  { bounds, hits }: MosaicExtent,
  deps: AttributionDeps,
): Promise<MapFacts> {
  // A mosaic whose first scene is still to come shows those of its sensors.
  const coming = datasets.map((dataset) => ({ dataset, provenance: 'folder', acquiredAt: period.from }));
  const { west, south, east, north } = bounds ?? { west: -180, south: -85.05, east: 180, north: 85.05 };
  return {
    attribution: await nameSources(hits.length === 0 ? coming : hits, deps),
    ...toZooms(datasets),
    bounds: { west, south: Math.max(-85.05, south), east, north: Math.min(85.05, north) },
  };
}
