/** TileJSON 3.0 of layers. */
import { json } from '../kit/json-schema.ts';
import { tilejsonSchema, toTilejson } from '../kit/tilejson.ts';
import type { Layer } from './layers.ts';

/** A document, for the documentation. */
export const layerTilejsonSchema = json.named(
  'LayerTilejson',
  tilejsonSchema({ id: json.string(), description: json.string() }),
);

/** The document of a layer whose tiles have this address. */
export const toLayerTilejson = (layer: Layer, template: string) => ({
  id: layer.name,
  description: layer.abstract,
  ...toTilejson(layer, { name: layer.title, template }),
});
