import { isSwathError, sourceBroken } from '../../../errors.ts';
import type { AreaGeometry } from '../../../geo/index.ts';
import { areasIntersect } from '../../../geo/index.ts';
import { tidyFootprint } from '../../footprint/footprint.ts';
import type { StacAsset } from '../../item/item.ts';
import { largestExtent } from '../../record/to-scene-record.ts';
import type { Asset, NewScene } from '../../scene.ts';
import { chooseAddress } from './addresses.ts';
import { describeItem } from './describe-item.ts';
import type { ItemFacts } from './item-facts.ts';
import type { ItemContext, PlannedItem } from './plan-item.ts';
import type { FileDoors } from './read-files.ts';
import { readFiles, readText } from './read-files.ts';
import { stateAsset } from './state-asset.ts';

/** A record and what was noticed while it was made. */
export interface CompletedItem {
  readonly scene: NewScene;
  readonly notes: readonly string[];
}

/** Makes the record of an item: by the headers of its files, or, when none are read, by what it states. */
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
      'It does not say where its images lie, or how large they are; only their files can tell.',
    );
  }
  return { scene: toRecord({ planned, facts, assets }), notes: [...notes, ...facts.notes] };
}

/** Now with the texts beside the images. One that cannot be read costs its constants, and not the scene. */
async function describeAgain(
  { item, known }: PlannedItem,
  { doors, context, notes }: { doors: FileDoors; context: ItemContext; notes: string[] },
): Promise<ItemFacts> {
  const tryText = async (asset: StacAsset): Promise<string | null> => {
    const { href } = chooseAddress(asset, { item, ...context });
    if (href === null) {
      notes.push(`${asset.key} may not be read; constants of the sensor stand in for what it says.`);
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
  return describeItem(item, known, { findScene: context.findScene, readText: tryText });
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

interface Parts {
  readonly planned: PlannedItem;
  readonly facts: ItemFacts;
  readonly assets: ReadonlyMap<string, Asset>;
}

function toRecord({ planned, facts, assets }: Parts): NewScene {
  const { viewId, sceneId, acquiredAt, cloudPercent, sunElevationDeg, sunAzimuthDeg, coveragePercent } =
    facts;
  const used = new Map(
    [...planned.bands].flatMap(([name, { found }]) => (assets.has(name) ? [[name, found]] : [])),
  );
  const { calibration, cloudMask } = facts.detailsOf(used);
  const extent = largestExtent([...assets.values()]);
  return {
    viewId,
    sceneId,
    dataset: facts.sensor.dataset,
    acquiredAt,
    cloudPercent,
    sunElevationDeg,
    sunAzimuthDeg,
    coveragePercent,
    footprint: toFootprint(facts.area, extent),
    ...(facts.sensor.hit.some(({ name }) => name === 'tileGeometry') ? { frame: extent } : {}),
    fields: facts.fields,
    assets: Object.fromEntries(assets),
    provenance: 'stac',
    ...(facts.productId === null ? {} : { productId: facts.productId }),
    ...(calibration === null ? {} : { calibration }),
    ...(cloudMask === null ? {} : { cloudMask }),
    origin: { fingerprint: planned.fingerprint, processed: facts.processed },
  };
}

/** The place that the item states, which is what its catalog is searched by; all of the image when it states none. */
function toFootprint(stated: AreaGeometry | null, extent: AreaGeometry): AreaGeometry {
  const area = stated === null ? null : tidyOrNull(stated);
  if (area === null) return extent;
  if (!areasIntersect(area, extent)) {
    throw sourceBroken('stac-misplaced', 'Its geometry and its images lie in different places.');
  }
  return area;
}

/** Outlines of providers cross themselves now and then. */
function tidyOrNull(area: AreaGeometry): AreaGeometry | null {
  try {
    return tidyFootprint(area);
  } catch (error) {
    if (isSwathError(error) && error.code === 'no-footprint') return null;
    throw error;
  }
}
