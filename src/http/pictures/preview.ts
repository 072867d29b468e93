import { z } from 'zod';
import { badInput, unsupported } from '../../errors.ts';
import type { LonLat } from '../../geo/index.ts';
import { MAX_ZOOM } from '../../geo/index.ts';
import { toViewGrid } from '../../render/index.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { EXAMPLE_SCENE, sceneParameters } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { parseSceneVerbPath } from '../request/scene-path.ts';
import { parseDecimal, parseWhole } from '../request/strict-number.ts';
import type { PictureDeps } from './answer.ts';
import { answerPicture, pictureAnswers } from './answer.ts';
import { findNamedThings } from './named-things.ts';
import { pictureParameters } from './parameters.ts';
import type { PictureQuery } from './query.ts';
import { parsePictureQuery } from './query.ts';

/** Both sides of a preview (docs/interface.md, Previews and thumbnails). */
const SIDE_PX = 512;

/** `GET /api/render/{sensor}/preview/{scene_id}/{bands}/{zoom}/{lat}/{lon}`. */
export const preview = (deps: PictureDeps & { readonly watermark: string }): Endpoint => {
  const { TILE_SIZE, crs, mimetype, ...query } = pictureParameters;
  return {
    summary: 'A preview of a scene, with a watermark',
    description: `A JPEG of ${SIDE_PX} × ${SIDE_PX} pixels of the map around a position.`,
    tag: 'Render',
    params: {
      ...sceneParameters,
      bands: { description: 'As for pictures.', schema: z.string(), example: 'B04,B03,B02' },
      zoom: { description: 'Zoom.', schema: z.int().min(0).max(MAX_ZOOM), example: '12' },
      lat: {
        description: 'Latitude of the middle, in degrees; Web Mercator ends at ±85.0511.',
        schema: z.number().min(-85.0511).max(85.0511),
        example: EXAMPLE_SCENE.lat,
      },
      lon: {
        description: 'Longitude of the middle, in degrees.',
        schema: z.number().min(-180).max(180),
        example: EXAMPLE_SCENE.lon,
      },
    },
    query,
    answers: pictureAnswers,
    handle: (request) => answer(request, deps),
  };
};

async function answer(
  request: ApiRequest,
  deps: PictureDeps & { readonly watermark: string },
): Promise<Response> {
  const startedAt = performance.now();
  const { rest, ...path } = parseSceneVerbPath(request.rawPath);
  if (rest.length < 4) {
    throw badInput('bad-path', 'The address of a preview ends in {bands}/{zoom}/{lat}/{lon}.');
  }
  const [zoomText = '', ...position] = rest.slice(-3);
  const zoom = parseWhole(zoomText);
  if (zoom === null || zoom > MAX_ZOOM) {
    throw badInput('bad-zoom', `zoom must be a whole number from 0 to ${MAX_ZOOM}.`);
  }
  const query = parsePictureQuery(request.query);
  refuseOthers(query);
  const wanted = {
    ...path,
    bands: rest.slice(0, -3).join('/'),
    grid: toViewGrid(parsePosition(position), zoom, SIDE_PX),
    options: {
      ...(await findNamedThings(query, deps)),
      format: 'jpeg' as const,
      watermark: deps.watermark,
    },
  };
  return answerPicture(request, wanted, { ...deps, startedAt });
}

/** What is decided of previews may be said in a query, and nothing else: another picture than was asked for misleads. */
function refuseOthers({ options: { format }, size, epsg }: PictureQuery): void {
  const refuse = (sentence: string): Error => unsupported('not-for-previews', sentence);
  if (format !== 'auto' && format !== 'jpeg') {
    throw refuse('A preview is a JPEG; other values of mimetype are for tiles and images.');
  }
  if (size !== null && (size.width !== SIDE_PX || size.height !== SIDE_PX)) {
    throw refuse(`A preview has ${SIDE_PX} × ${SIDE_PX} pixels; TILE_SIZE is for tiles and images.`);
  }
  if (epsg !== null && epsg !== 3857) {
    throw refuse('A preview is in EPSG:3857; crs is for tiles and images.');
  }
}

/** `{lat}/{lon}` in degrees. */
function parsePosition([latText = '', lonText = '']: readonly string[]): LonLat {
  const [lat, lon] = [parseDecimal(latText), parseDecimal(lonText)];
  if (lat === null || Math.abs(lat) > 90) {
    throw badInput('bad-lat', 'lat must be a number of degrees from -90 to 90.');
  }
  if (lon === null || Math.abs(lon) > 180) {
    throw badInput('bad-lon', 'lon must be a number of degrees from -180 to 180.');
  }
  return [lon, lat];
}
