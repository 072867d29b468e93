/** TileJSON 3.0 of layers. */
import { roundDegrees } from '../kit/bodies.ts';
import { json } from '../kit/json-schema.ts';
import type { Layer } from './layers.ts';

/** A document, for the documentation. */
export const tilejsonSchema = json.named(
  'LayerTilejson',
  json.object(
    {
      tilejson: json.literal('3.0.0'),
      id: json.string(),
      name: json.string(),
      description: json.string(),
      attribution: json.string(),
      tiles: json.list(json.string()),
      minzoom: json.integer(),
      maxzoom: json.integer(),
      bounds: json.list(json.number(), { min: 4, max: 4 }),
    },
    { isOpen: true },
  ),
);

/** The document of a layer whose tiles have this address. */
export function toTilejson(layer: Layer, template: string) {
  const { name, title, abstract, attribution, minzoom, maxzoom, bounds } = layer;
  const { west, south, east, north } = bounds;
  // Ground across the antimeridian is on both sides of the map.
  const box = east > 180 ? [-180, south, 180, north] : [west, south, east, north];
  return {
    tilejson: '3.0.0',
    id: name,
    name: title,
    description: abstract,
    attribution,
    scheme: 'xyz',
    tiles: [template],
    minzoom,
    maxzoom,
    bounds: box.map(roundDegrees),
  };
}
