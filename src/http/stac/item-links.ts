/** The links of an item: to the documents around it, and to its maps. */
import type { SceneHit } from '../../catalog/index.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import type { StacAddresses, StacLink } from './addresses.ts';
import { GEOJSON_TYPE, JSON_TYPE, toRootLink, toWmtsLink } from './addresses.ts';
import { toItemId } from './item-properties.ts';
import type { JsonTemplate } from './json-template.ts';
import { compileTemplate, fillTemplate, partHole, toInner } from './json-template.ts';

interface LinkTools {
  readonly publicUrl: string;
  readonly addresses: StacAddresses;
}

/** View ids that read the same in JSON and in addresses: those of products do. */
const PLAIN_ID = /^[\w./~-]+$/;

const [ITEM, VIEW, TITLE] = [0, 1, 2];
const HOLES: LinkedScene = { itemId: partHole(ITEM), viewId: partHole(VIEW), sceneId: partHole(TITLE) };

/**
 * Builds the function that appends the links of a scene to the pieces of an item. `names` are those of its bands; null where
 * they are not known. Returns whether some of the links lead to maps.
 */
export function makeWriteLinks(
  tools: LinkTools,
): (scene: SceneHit, names: readonly string[] | null, written: string[]) => boolean {
  const templates = new Map<string, JsonTemplate>();
  return ({ viewId, dataset, sceneId }, names, written) => {
    const bands = toBands(dataset, names);
    const itemId = toItemId(viewId);
    if (PLAIN_ID.test(viewId)) {
      const key = `${dataset} ${bands}`;
      const template = templates.get(key) ?? compileTemplate(toLinks(HOLES, dataset, bands, tools));
      templates.set(key, template);
      fillTemplate(template, [itemId, viewId, toInner(sceneId)], written);
    } else written.push(JSON.stringify(toLinks({ itemId, viewId, sceneId }, dataset, bands, tools)));
    return bands !== null;
  };
}

const compositions = new Map<string, string | null>();

/** Bands of the tiles that a link shows: the default composition, of the bands that the scene has. */
function toBands(dataset: string, names: readonly string[] | null): string | null {
  const key = `${dataset} ${names?.join() ?? '*'}`;
  const known = compositions.get(key);
  if (known !== undefined) return known;
  const sensor = sensorByDataset(dataset);
  const bands =
    sensor === null
      ? null
      : (chooseComposition(sensor, (name) => names?.includes(name) ?? true)?.join() ?? null);
  // Scenes of a dataset have one of a few sets of bands.
  if (compositions.size < MAX_COMPOSITIONS) compositions.set(key, bands);
  return bands;
}

const MAX_COMPOSITIONS = 256;

interface LinkedScene {
  readonly itemId: string;
  readonly viewId: string;
  readonly sceneId: string;
}

function toLinks(
  { itemId, viewId, sceneId }: LinkedScene,
  dataset: string,
  bands: string | null,
  { addresses, publicUrl }: LinkTools,
): readonly StacLink[] {
  const self = addresses.item(dataset, itemId);
  const collection = addresses.collection(dataset);
  return [
    { rel: 'self', href: self, type: GEOJSON_TYPE, title: sceneId },
    { rel: 'parent', href: collection, type: JSON_TYPE },
    { rel: 'collection', href: collection, type: JSON_TYPE },
    toRootLink(addresses),
    ...(bands === null
      ? []
      : [
          {
            rel: 'xyz',
            href: `${publicUrl}${RENDER_ROOT}${viewId}/${bands}/{z}/{x}/{y}`,
            type: 'image/png',
            title: `Map tiles of ${bands}`,
          },
          { rel: 'tilejson', href: `${self}/tilejson.json`, type: JSON_TYPE, title: 'TileJSON' },
          toWmtsLink(publicUrl, `scene.${itemId}`),
        ]),
  ];
}
