import { MAX_ZOOM } from '../../geo/index.ts';
import { toViewGrid } from '../../render/index.ts';
import { badInput, unsupported } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE, sceneParameters } from '../kit/endpoint.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { decimal, defineParameters, readExplainMode, whole } from '../kit/parameters.ts';
import { parseSceneVerbPath } from '../kit/paths.ts';
import type { PictureDeps, PictureQuery } from './picture.ts';
import {
  answerPicture,
  findNamedThings,
  parsePictureQuery,
  pictureAnswers,
  pictureParameters,
} from './picture.ts';

/** Both sides of a preview (docs/use/interface.md, Previews and thumbnails). */
const SIDE_PX = 512;

const degrees = (
  farthest: number,
  doc: { readonly description: string; readonly example: string; readonly schema?: JsonSchema },
) =>
  decimal({
    ...doc,
    min: -farthest,
    max: farthest,
    rule: `must be a number of degrees from -${farthest} to ${farthest}.`,
  });

const viewParameters = defineParameters({
  zoom: whole({ description: 'Zoom.', example: '12', min: 0, max: MAX_ZOOM }),
  lat: degrees(90, {
    description: 'Latitude of the middle, in degrees; Web Mercator ends at ±85.0511.',
    example: EXAMPLE_SCENE.lat,
    schema: json.number({ min: -85.0511, max: 85.0511 }),
  }),
  lon: degrees(180, { description: 'Longitude of the middle, in degrees.', example: EXAMPLE_SCENE.lon }),
});

/** What is decided for every preview is not offered as a parameter. */
const { TILE_SIZE: _size, crs: _crs, mimetype: _type, ...previewQuery } = pictureParameters;

/** `GET /api/render/{sensor}/preview/{scene_id}/{bands}/{zoom}/{lat}/{lon}`. */
export const preview = (deps: PictureDeps & { readonly watermark: string }): Endpoint => ({
  summary: 'A preview of a scene, with a watermark',
  description: `A JPEG of ${SIDE_PX} × ${SIDE_PX} pixels of the map around a position.`,
  tag: 'Render',
  params: {
    ...sceneParameters,
    bands: { description: 'As for pictures.', schema: json.string(), example: 'B04,B03,B02' },
    ...viewParameters,
  },
  query: previewQuery,
  answers: pictureAnswers,
  handle: (request) => answer(request, deps),
});

async function answer(
  request: ApiRequest,
  deps: PictureDeps & { readonly watermark: string },
): Promise<Answer> {
  const startedAt = performance.now();
  const { rest, ...path } = parseSceneVerbPath(request.rawPath);
  if (rest.length < 4) {
    throw badInput('bad-path', 'The address of a preview ends in {bands}/{zoom}/{lat}/{lon}.');
  }
  const [zoomText, latText, lonText] = rest.slice(-3);
  const zoom = viewParameters.zoom.parse(zoomText);
  const query = parsePictureQuery(request.query);
  refuseOthers(query);
  const [lat, lon] = [viewParameters.lat.parse(latText), viewParameters.lon.parse(lonText)];
  const wanted = {
    ...path,
    bands: rest.slice(0, -3).join('/'),
    grid: toViewGrid([lon, lat], zoom, SIDE_PX),
    options: {
      ...(await findNamedThings(query, deps)),
      format: 'jpeg' as const,
      watermark: deps.watermark,
    },
  };
  const explain = readExplainMode(request.query);
  return answerPicture(request, wanted, { ...deps, startedAt, explain });
}

/** Refuses parameters that would change a preview's fixed format, size or reference system. */
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
