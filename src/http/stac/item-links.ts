/** The links of an item: to the documents around it, and to its maps. */
import type { SceneHit } from '../../catalog/index.ts';
import { makeLru } from '../../lru.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import { listStyles } from '../ogc/layer-styles.ts';
import type { StacAddresses, StacLink } from './addresses.ts';
import { GEOJSON_TYPE, JSON_TYPE, toRootLink, toWmtsLink } from './addresses.ts';
import { toItemId } from './item-properties.ts';
import type { JsonTemplate } from './json-template.ts';
import { compileTemplate, fillTemplate, partHole, toInner } from './json-template.ts';

interface LinkTools {
  readonly publicUrl: string;
  readonly addresses: StacAddresses;
  /** What the addresses of an item's map begin with, which work without a key; null where there are none. */
  readonly toMap: ((itemId: string) => string) | null;
}

/** View ids that read the same in JSON and in addresses: those of products do. */
const PLAIN_ID = /^[\w./~-]+$/;

/** Ids of items that layers are named by. */
const LAYER_ID = /^[\w.-]{1,300}$/;

const [ITEM, VIEW, TITLE, MAP] = [0, 1, 2, 3];
const HOLES: LinkedScene = {
  itemId: partHole(ITEM),
  viewId: partHole(VIEW),
  sceneId: partHole(TITLE),
  map: partHole(MAP),
};

/** Links by all that they hold but the scene: most searches find a few items, for which compiling them would not pay. */
const templates = makeLru<JsonTemplate>({ max: 256 });

/**
 * Builds the function that appends the links of a scene to the pieces of an item. `names` are those of its bands; null where
 * they are not known. Returns whether some of the links lead to maps.
 */
export function makeWriteLinks(
  tools: LinkTools,
): (scene: SceneHit, names: readonly string[] | null, written: string[]) => boolean {
  return ({ viewId, dataset, sceneId }, names, written) => {
    const bands = toBands(dataset, names);
    const itemId = toItemId(viewId);
    // The style that a layer has by default is of all scenes of its dataset, whichever bands this one has.
    const isDefault = tools.toMap !== null && bands !== null && bands === defaultOf(dataset);
    const map = isDefault && LAYER_ID.test(itemId) ? (tools.toMap?.(itemId) ?? null) : null;
    if (PLAIN_ID.test(viewId)) {
      const template = templates.remember(`${tools.publicUrl} ${dataset} ${bands} ${map === null}`, () => {
        const holes = map === null ? { ...HOLES, map } : HOLES;
        return compileTemplate(toLinks(holes, dataset, bands, tools));
      });
      fillTemplate(template, [itemId, viewId, toInner(sceneId), toInner(map ?? '')], written);
    } else written.push(JSON.stringify(toLinks({ itemId, viewId, sceneId, map }, dataset, bands, tools)));
    return bands !== null;
  };
}

/** Bands of the default style of a dataset's layers. */
function defaultOf(dataset: string): string | null {
  const sensor = sensorByDataset(dataset);
  return sensor === null ? null : (listStyles(sensor)[0]?.bands ?? null);
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
  /** What the addresses of its map begin with, which work without a key; null where there are none. */
  readonly map: string | null;
}

function toLinks(
  { itemId, viewId, sceneId, map }: LinkedScene,
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
            href:
              map === null
                ? `${publicUrl}${RENDER_ROOT}${viewId}/${bands}/{z}/{x}/{y}`
                : `${map}/{z}/{x}/{y}.png`,
            type: 'image/png',
            title: `Map tiles of ${bands}`,
          },
          {
            rel: 'tilejson',
            href: `${map ?? self}/tilejson.json`,
            type: JSON_TYPE,
            title: 'TileJSON',
          },
          toWmtsLink(publicUrl, `scene.${itemId}`),
        ]),
  ];
}
