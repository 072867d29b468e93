import { z } from 'zod';
import { badInput } from '../../errors.ts';
import type { LonLat } from '../../geo/index.ts';
import type { ReadProfile } from '../../terrain/index.ts';
import { toCacheHeaders } from '../answer/cached-answer.ts';
import { toShortest } from '../answer/shortest-float.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { pixelFailures } from '../endpoint/shared-docs.ts';
import { DECIMAL, parseDecimal, parseWhole } from '../request/strict-number.ts';
import { parseTerrainQuery } from './terrain-query.ts';

/** What profiles are read with. */
export interface ProfileDeps {
  readonly readProfile: ReadProfile;
  readonly maxAgeS: number;
}

/** Each straight part of a line is read on its own. */
const MAX_VERTICES = 100;
const MAX_SAMPLES = 2_000;
const DEFAULT_SAMPLES = 200;

/** `GET /api/render/terrain/profile`. */
export const elevationProfile = (deps: ProfileDeps): Endpoint => ({
  summary: 'Elevations along a line',
  description:
    'Samples at equal distances from end to end, with the sums of all rises and falls from one to the next. Heights are those of points; null where none is known.',
  tag: 'Terrain',
  query: {
    LINE: {
      description: `"lon,lat;lon,lat;…" in degrees, 2 to ${MAX_VERTICES} positions; edges take the short way round.`,
      schema: z
        .string()
        .regex(new RegExp(`^${DECIMAL},${DECIMAL}(?:;${DECIMAL},${DECIMAL})+$`))
        .refine((text) => toLine(text) !== null),
      required: true,
      example: '-122.5,48.2;-122.2,48.4',
    },
    SAMPLES: {
      description: 'How many.',
      schema: z.int().min(2).max(MAX_SAMPLES).default(DEFAULT_SAMPLES),
    },
  },
  answers: {
    200: {
      description: 'The profile.',
      content: {
        'application/json': z.object({
          length_m: z.number(),
          min: z.number().nullable(),
          max: z.number().nullable(),
          ascent_m: z.number(),
          descent_m: z.number(),
          points: z.array(
            z.object({
              distance_m: z.number(),
              lat: z.number(),
              lon: z.number(),
              elevation: z.number().nullable(),
            }),
          ),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
    ...pixelFailures,
    502: { description: 'A file of an elevation model is damaged or gone.' },
  },
  async handle({ query, ticket }) {
    const known = parseTerrainQuery(query);
    const profile = await deps.readProfile(
      { line: parseLine(known.get('LINE')), samples: parseSamples(known.get('SAMPLES')) },
      ticket,
    );
    const toElevation = (height: number | null): number | null =>
      height === null ? null : toShortest(height);
    return Response.json(
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

function parseLine(text = ''): readonly LonLat[] {
  const line = toLine(text);
  if (line !== null) return line;
  throw badInput(
    'bad-line',
    `LINE must be 2 to ${MAX_VERTICES} positions "lon,lat;lon,lat" in degrees, within ±180 and ±90.`,
  );
}

/** The positions of a line; null for any other text. */
function toLine(text: string): readonly LonLat[] | null {
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

function parseSamples(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SAMPLES;
  const samples = parseWhole(text);
  if (samples === null || samples < 2 || samples > MAX_SAMPLES) {
    throw badInput('bad-samples', `SAMPLES must be a whole number from 2 to ${MAX_SAMPLES}.`);
  }
  return samples;
}
