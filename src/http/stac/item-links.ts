/** The links of an item: to the documents around it, and to its maps. */
import type { SceneHit } from '../../catalog/index.ts';
import { makeLru } from '../../lru.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import { listStyles } from '../ogc/layer-styles.ts';
import type { StacAddresses, StacLink } from './addresses.ts';
import { GEOJSON_TYPE, JSON_TYPE, toRootLink, toWmtsLink } from './addresses.ts';
import { toItemId } from './item-properties.ts';
import type { JsonBytes } from './json-bytes.ts';
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

/** What the links of scenes with the same bands have in common. */
interface SharedLinks {
  /** Bands of the tiles that are linked: the default composition, of the bands that the scenes have. */
  readonly bands: string | null;
  /** Whether the layers of these scenes show the same by default. */
  readonly isDefault: boolean;
  readonly withMap: () => JsonTemplate;
  readonly withoutMap: () => JsonTemplate;
}

/**
 * Builds the function that appends the links of a scene. `names` are those of its bands, one list for all scenes whose files
 * are alike; null where they are not known. Returns whether some of the links lead to maps. Without a place to write to it only
 * tells that.
 */
export function makeWriteLinks(
  tools: LinkTools,
): (scene: SceneHit, names: readonly string[] | null, out: JsonBytes | null) => boolean {
  const known = new Map<readonly string[] | string, SharedLinks>();
  const find = (dataset: string, names: readonly string[] | null): SharedLinks => {
    const found = known.get(names ?? dataset);
    if (found !== undefined) return found;
    const made = shareLinks(dataset, names, tools);
    known.set(names ?? dataset, made);
    return made;
  };
  return ({ viewId, dataset, sceneId }, names, out) => {
    const { bands, isDefault, withMap, withoutMap } = find(dataset, names);
    if (out === null) return bands !== null;
    const itemId = toItemId(viewId);
    const map = isDefault && LAYER_ID.test(itemId) ? (tools.toMap?.(itemId) ?? null) : null;
    if (PLAIN_ID.test(viewId)) {
      const template = map === null ? withoutMap() : withMap();
      fillTemplate(template, [itemId, viewId, toInner(sceneId), toInner(map ?? '')], out);
    } else out.write(JSON.stringify(toLinks({ itemId, viewId, sceneId, map }, dataset, bands, tools)));
    return bands !== null;
  };
}

/** What is linked by default. */
interface DefaultBands {
  /** The default composition, of the bands that a scene has. */
  readonly bands: string | null;
  /** Whether it is what a layer shows by default: that is the same for all scenes of a dataset, whichever bands these have. */
  readonly isOfLayers: boolean;
}

/** By the names of bands, which are one list for all scenes whose files are alike; each is of one dataset. */
const knownBands = new WeakMap<readonly string[], DefaultBands>();

function chooseBands(dataset: string, names: readonly string[] | null): DefaultBands {
  const known = names === null ? undefined : knownBands.get(names);
  if (known !== undefined) return known;
  const sensor = sensorByDataset(dataset);
  if (sensor === null) return { bands: null, isOfLayers: false };
  const composition = chooseComposition(sensor, (name) => names?.includes(name) ?? true);
  const bands = composition?.join() ?? null;
  const made = { bands, isOfLayers: bands !== null && bands === listStyles(sensor)[0]?.bands };
  if (names !== null) knownBands.set(names, made);
  return made;
}

function shareLinks(dataset: string, names: readonly string[] | null, tools: LinkTools): SharedLinks {
  const { bands, isOfLayers } = chooseBands(dataset, names);
  const compile = (holes: LinkedScene) => (): JsonTemplate =>
    templates.remember(`${tools.publicUrl} ${dataset} ${bands} ${holes.map}`, () =>
      compileTemplate(toLinks(holes, dataset, bands, tools)),
    );
  return {
    bands,
    isDefault: tools.toMap !== null && isOfLayers,
    withMap: once(compile(HOLES)),
    withoutMap: once(compile({ ...HOLES, map: null })),
  };
}

/** Calls a function when its value is first wanted. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

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
