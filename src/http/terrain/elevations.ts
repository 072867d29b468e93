/** Elevations of a point and along a line. */
import type { LonLat } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { ReadElevation, ReadProfile } from '../../terrain/index.ts';
import type { TerrainExplainDeps } from '../explain/explain-terrain.ts';
import { explainHeights } from '../explain/explain-terrain.ts';
import { toShortest } from '../kit/answer-bodies.ts';
import { Answer, toCacheHeaders } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { pixelFailures } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import {
  custom,
  DECIMAL,
  defineParameters,
  parseDecimal,
  readExplainMode,
  whole,
} from '../kit/parameters.ts';
import { pointParameters } from '../kit/paths.ts';

/** What single heights are read with. */
export interface ElevationDeps extends TerrainExplainDeps {
  readonly readElevation: ReadElevation;
  readonly maxAgeS: number;
}

const position = pointParameters({ lat: '48.2', lon: '-122.4' });

/** `GET /api/render/terrain/point/{lat}/{lon}`. */
export const elevation = ({ readElevation, terrainExplainer, maxAgeS }: ElevationDeps): Endpoint => ({
  summary: 'The elevation of a point',
  description:
    'In metres, interpolated between the pixels of the best elevation model that covers the location; null if none does.',
  tag: 'Terrain',
  params: position,
  answers: {
    200: {
      description: 'The elevation.',
      content: { 'application/json': json.object({ index_value: json.nullable(json.number()) }) },
    },
    400: { description: 'The point is not on Earth.' },
    ...pixelFailures,
    502: { description: 'A file of an elevation model is damaged or missing.' },
  },
  async handle(request) {
    const { params, ticket } = request;
    const point = { lat: position.lat.parse(params.lat), lon: position.lon.parse(params.lon) };
    const mode = readExplainMode(request.query);
    if (mode !== null) {
      const heights = await terrainExplainer.point(point, ticket);
      const work = (traced: Ticket) => readElevation(point, traced);
      return explainHeights(request, { explains: 'elevation', mode, heights, work });
    }
    const height = await readElevation(point, ticket);
    const value = height === null ? null : toShortest(height);
    return Answer.json({ index_value: value }, { headers: toCacheHeaders(value === null ? 0 : maxAgeS) });
  },
});

/** What profiles are read with. */
export interface ProfileDeps extends TerrainExplainDeps {
  readonly readProfile: ReadProfile;
  readonly maxAgeS: number;
}

/** Each straight part of a line is read on its own. */
const MAX_VERTICES = 100;

const parameters = defineParameters({
  LINE: custom({
    description: `"lon,lat;lon,lat;…" in degrees, 2 to ${MAX_VERTICES} positions; edges take the short way round.`,
    example: '-122.5,48.2;-122.2,48.4',
    schema: json.string({ pattern: `^${DECIMAL},${DECIMAL}(?:;${DECIMAL},${DECIMAL})+$` }),
    rule: `must be 2 to ${MAX_VERTICES} positions "lon,lat;lon,lat" in degrees, within ±180 and ±90.`,
    read: parseLine,
  }),
  SAMPLES: whole({ description: 'How many.', min: 2, max: 2_000, fallback: 200 }),
});

/** `GET /api/render/terrain/profile`. */
export const elevationProfile = (deps: ProfileDeps): Endpoint => ({
  summary: 'Elevations along a line',
  description:
    'Equally spaced samples from end to end, with the total ascent and descent between them. Elevations are those of single points; null if unknown.',
  tag: 'Terrain',
  query: parameters,
  answers: {
    200: {
      description: 'The profile.',
      content: {
        'application/json': json.object({
          length_m: json.number(),
          min: json.nullable(json.number()),
          max: json.nullable(json.number()),
          ascent_m: json.number(),
          descent_m: json.number(),
          points: json.list(
            json.object({
              distance_m: json.number(),
              lat: json.number(),
              lon: json.number(),
              elevation: json.nullable(json.number()),
            }),
          ),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
    ...pixelFailures,
    502: { description: 'A file of an elevation model is damaged or missing.' },
  },
  async handle(request) {
    const { query, ticket } = request;
    const { LINE, SAMPLES } = parameters;
    const wanted = { line: LINE.read(query), samples: SAMPLES.read(query) };
    const mode = readExplainMode(query);
    if (mode !== null) {
      const heights = await deps.terrainExplainer.profile(wanted, ticket);
      const work = (traced: Ticket) => deps.readProfile(wanted, traced);
      return explainHeights(request, { explains: 'profile', mode, heights, work });
    }
    const profile = await deps.readProfile(wanted, ticket);
    const toElevation = (height: number | null): number | null =>
      height === null ? null : toShortest(height);
    return Answer.json(
      {
        length_m: round(profile.lengthM, 1),
        min: toElevation(profile.minM),
        max: toElevation(profile.maxM),
        ascent_m: round(profile.ascentM, 2),
        descent_m: round(profile.descentM, 2),
        points: profile.points.map(({ distanceM, lat, lon, heightM }) => ({
          distance_m: round(distanceM, 1),
          lat: round(lat, 7),
          lon: round(toTurn(lon), 7),
          elevation: toElevation(heightM),
        })),
      },
      { headers: toCacheHeaders(deps.maxAgeS) },
    );
  },
});

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Within ±180. */
const toTurn = (lon: number): number => lon - 360 * Math.round(lon / 360);

/** The positions of a line; null for any other text. */
function parseLine(text: string): readonly LonLat[] | null {
  const vertices = text.split(';', MAX_VERTICES + 1);
  const line = vertices.map((vertex) => vertex.split(',').map(parseDecimal));
  const isLine =
    line.length >= 2 &&
    line.length <= MAX_VERTICES &&
    line.every(
      ([lon, lat, ...more]) =>
        lon != null && lat != null && more.length === 0 && Math.abs(lon) <= 180 && Math.abs(lat) <= 90,
    );
  return isLine ? (line as unknown as readonly LonLat[]) : null;
}
