/** TileJSON 3.0: what map libraries have to know of tiles before they show them. */
import type { LonLatBounds } from '../../geo/index.ts';
import { roundDegrees } from './answer-bodies.ts';
import { Answer, toCacheHeaders } from './answers.ts';
import type { JsonSchema } from './json-schema.ts';
import { json } from './json-schema.ts';

/** What map libraries have to know of a map: whom it must name, its zoom levels and its ground. */
export interface MapFacts {
  readonly attribution: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: LonLatBounds;
}

/** A document, for the documentation, with the properties that only this kind of map has. */
export const tilejsonSchema = (more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  json.object(
    {
      tilejson: json.literal('3.0.0'),
      name: json.string(),
      'attribution?': json.string({ description: 'Whom a map must name.' }),
      scheme: json.literal('xyz'),
      tiles: json.list(json.string()),
      minzoom: json.integer(),
      maxzoom: json.integer(),
      bounds: json.list(json.number(), { min: 4, max: 4 }),
      ...more,
    },
    { isOpen: true },
  );

/** The document of a map whose tiles have this address. */
export function toTilejson(
  { attribution, minzoom, maxzoom, bounds }: MapFacts,
  { name, template }: { readonly name: string; readonly template: string },
) {
  const { west, south, east, north } = bounds;
  // Ground across the antimeridian is on both sides of the map.
  const box = east > 180 ? [-180, south, 180, north] : [west, south, east, north];
  return {
    tilejson: '3.0.0',
    name,
    attribution: attribution === '' ? undefined : attribution,
    scheme: 'xyz',
    tiles: [template],
    minzoom,
    maxzoom,
    bounds: box.map(roundDegrees),
  };
}

/** Answers a document that no cache keeps: its template may hold the caller's key. */
export const answerTilejson = (document: object): Answer =>
  Answer.json(document, { headers: toCacheHeaders(0) });
