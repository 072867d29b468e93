import { isSwathError, sourceBroken } from '../../../errors.ts';
import type { Asset } from '../../asset.ts';
import type { SceneFacts } from '../../families/scene-facts.ts';
import type { StacAsset } from '../../item/item.ts';
import { itemFootprint } from '../../record/choose-footprint.ts';
import { toSceneRecord } from '../../record/to-scene-record.ts';
import type { NewScene } from '../../scene.ts';
import { chooseAddress } from './addresses.ts';
import type { ItemContext, PlannedItem } from './plan-item.ts';
import type { FileDoors } from './read-files.ts';
import { readFiles, readText } from './read-files.ts';
import { stateAsset } from './state-asset.ts';

/** A record and notes about its item. */
export interface CompletedItem {
  readonly scene: NewScene;
  readonly notes: readonly string[];
}

/** Makes the record of an item, from the headers of its files or, if none are read, from its own fields. */
export async function completeItem(
  planned: PlannedItem,
  { doors, context }: { readonly doors: FileDoors | null; readonly context: ItemContext },
): Promise<CompletedItem> {
  const notes: string[] = [];
  const facts = doors === null ? planned.facts : await describeAgain(planned, { doors, context, notes });
  const assets = doors === null ? stateAll(planned, notes) : await readFiles(doors, planned.bands, facts);
  if (assets.size === 0) {
    throw sourceBroken(
      'needs-files',
      'It does not give the placement or size of its images; they must be read from the files.',
    );
  }
  const { bands, fingerprint } = planned;
  const scene = toSceneRecord({
    facts,
    sources: [...bands.values()].map(({ found }) => found),
    assets: Object.fromEntries(assets),
    cloudFlags: null,
    toFootprint: (extent) => itemFootprint(facts, extent),
    measuredPercent: null,
    provenance: 'stac',
    origin: { fingerprint, processed: facts.processed },
  });
  return { scene, notes: [...notes, ...facts.notes] };
}

/** The facts with the metadata files of the item. One that cannot be read costs its constants, not the scene. */
async function describeAgain(
  { item, known }: PlannedItem,
  { doors, context, notes }: { doors: FileDoors; context: ItemContext; notes: string[] },
): Promise<SceneFacts> {
  const tryText = async (asset: StacAsset): Promise<string | null> => {
    const { href } = chooseAddress(asset, { item, ...context });
    if (href === null) {
      notes.push(`${asset.key} may not be read; constants of the sensor are used instead.`);
      return null;
    }
    try {
      return await readText(doors, href);
    } catch (error) {
      if (!isSwathError(error) || error.tag === 'internal' || error.tag === 'cancelled') throw error;
      notes.push(`${asset.key} cannot be read (${error.code}); constants of the sensor stand in.`);
      return null;
    }
  };
  return known.rules.describe(item, known.sensors, { findScene: context.findScene, readText: tryText });
}

function stateAll(planned: PlannedItem, notes: string[]): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const [name, band] of planned.bands) {
    const asset = stateAsset(band, planned);
    if (asset === null) notes.push(`${name} is left out: the item does not say where it lies.`);
    else assets.set(name, asset);
  }
  return assets;
}
