import { isSwathError, sourceBroken, unsupported } from '../../../errors.ts';
import type { Sensor, ViewId } from '../../../sensors/index.ts';
import { parseViewId } from '../../../sensors/index.ts';
import type { StacItem } from '../../item/item.ts';
import { findInNames, timeOnDay, toCommonFacts } from '../../item/item-facts.ts';
import { toText, toWhole } from '../../item/json.ts';
import { thumbnailOf } from '../../item/thumbnail.ts';
import type { DescribeItem, ItemTools } from '../family.ts';
import { isSurfaceLevel, surfaceScaleOf, toLandsatFacts } from './landsat-facts.ts';
import { parseLandsatMtl } from './mtl.ts';

const PRODUCT_ID = /L[COTEM]0[1-9]_L[12][A-Z]{2}_\d{6}_\d{8}_\d{8}_0[12]_(?:T1|T2|RT)/;

/**
 * Describes an item of Collection 2. As with folders, a level-1 scene is named by its scene id and a level-2 scene by its
 * product id; catalogs shorten product ids in item ids, but not in file names.
 */
export const describeItem: DescribeItem = async (item, sensors, tools) => {
  const { properties } = item;
  const productId = findInNames(item, PRODUCT_ID)?.[0] ?? null;
  const level = toText(properties['landsat:correction']) ?? productId?.split('_')[1];
  const isSurface = isSurfaceLevel(level);
  const sceneId = toText(properties['landsat:scene_id']);
  const name = isSurface ? productId : (sceneId ?? productId);
  if (name === null) throw sourceBroken('stac-incomplete', 'It has neither scene id nor product id.');
  const view = findView(sensors, name);
  const common = toCommonFacts(item);
  const processed = /_(\d{4})(\d{2})(\d{2})_0[12]_/.exec(productId ?? '');
  const facts = toLandsatFacts({
    ...common,
    view,
    sceneId: sceneId ?? name,
    productId,
    acquiredAt: timeOnDay(item, view.date),
    processed: `collection-2 ${processed?.slice(1, 4).join('-') ?? ''}`,
    collection: 'collection-2',
    instrument: instrumentOf(item),
    pathRow: { path: toWhole(properties['landsat:wrs_path']), row: toWhole(properties['landsat:wrs_row']) },
    thumbnail: thumbnailOf(item),
    metadata: isSurface ? null : await readMetadata(item, tools, name),
  });
  return {
    ...facts,
    stated: common.stated,
    // From the item, or the default of the level.
    scaleOf: ({ band, stated }) => {
      const byLevel = surfaceScaleOf(band, view);
      if (!isSurface || band.kind === 'quality') return byLevel;
      return { scale: stated?.scale ?? byLevel.scale, offset: stated?.offset ?? byLevel.offset };
    },
  };
};

/** Refuses Landsat 1 to 3 and invalid names. */
function findView(sensors: readonly Sensor[], name: string): ViewId {
  for (const { abbreviation } of sensors) {
    try {
      return parseViewId(`${abbreviation}/${name}`);
    } catch (error) {
      if (!isSwathError(error) || error.tag !== 'not-found') throw error;
    }
  }
  const satellite = /^L[COTEM]0?([1-9])/.exec(name)?.[1];
  if (satellite !== undefined && Number(satellite) <= 3) {
    throw unsupported('stac-collection', `Landsat ${satellite} is not supported.`);
  }
  throw sourceBroken('stac-bad-name', `${name} is not the name of a Landsat scene.`);
}

/** ["oli", "tirs"] is OLI_TIRS. */
function instrumentOf({ properties }: StacItem): string | null {
  const { instruments } = properties;
  const words = Array.isArray(instruments) ? instruments.filter((word) => typeof word === 'string') : [];
  const text = words.length > 0 ? words.join('_') : toText(properties['eo:instrument']);
  return text?.toUpperCase().replace('+', '') ?? null;
}

/** The MTL file, if it can be read: it has all constants, an item only some. That of another scene is an error. */
async function readMetadata(item: StacItem, { readText }: ItemTools, name: string) {
  const asset = ['json', 'txt', 'xml']
    .flatMap((form) => item.assets.find(({ key }) => key.toLowerCase() === `mtl.${form}`) ?? [])
    .at(0);
  const text = asset === undefined ? null : await readText(asset);
  const metadata = text === null ? null : parseLandsatMtl(text, 'MTL');
  if (metadata !== null && metadata.sceneId !== name && metadata.productId !== name) {
    throw sourceBroken('metadata-of-another', `Its MTL file belongs to ${metadata.sceneId}.`);
  }
  return metadata;
}
