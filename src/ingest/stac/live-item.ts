/** Items of catalogs that are searched without an ingest: what a list shows of them, and their whole records. */
import type { NewScene, SceneHit } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import { notAllowed } from '../errors.ts';
import type { FindScene } from '../families/family.ts';
import { tryFootprint } from '../record/scene-record.ts';
import type { AddressRules, DocumentLocation } from './addresses.ts';
import type { FileDoors } from './complete-item.ts';
import { completeItem } from './complete-item.ts';
import { makeFileKinds } from './file-kinds.ts';
import type { StacItem } from './item.ts';
import { describeItem, planItem } from './plan-item.ts';

/** What a list shows of an item. */
interface ItemHit {
  readonly hit: SceneHit;
  /** Comparable as text within a dataset: of two items of one scene the larger one is newer. */
  readonly processed: string;
}

/** What a list shows of an item; null if the item does not say where its scene lies. */
export async function toItemHit(item: StacItem, findScene: FindScene): Promise<ItemHit | null> {
  const { facts } = await describeItem(item, findScene);
  const { viewId, sceneId, productId, acquiredAt, sensor, stated, coveragePercent, fields } = facts;
  const footprint = stated === null ? null : tryFootprint(stated);
  if (footprint === null) return null;
  const hit: SceneHit = {
    viewId,
    sceneId,
    ...(productId === null ? {} : { productId }),
    dataset: sensor.dataset,
    acquiredAt,
    footprint,
    cloudPercent: facts.cloudPercent,
    sunElevationDeg: facts.sunElevationDeg,
    sunAzimuthDeg: facts.sunAzimuthDeg,
    coveragePercent,
    fields: coveragePercent === null ? fields : { ...fields, dataCoveragePercentage: coveragePercent },
    provenance: PROVENANCE,
    // No ETag depends on a hit: the version is that of the record, once its files are read.
    version: '',
  };
  return { hit, processed: facts.processed };
}

/** Where records of live catalogs come from. */
const PROVENANCE = 'live';

/** What reading the record of an item needs. */
export interface LiveItemDeps {
  readonly location: DocumentLocation;
  readonly rules: AddressRules;
  readonly findScene: FindScene;
  readonly doors: FileDoors;
}

/** Makes the record of an item by the rules of an ingest; throws where that would refuse it. */
type ReadLiveItem = (item: StacItem, deps: LiveItemDeps) => Promise<NewScene>;

/** Builds the reading of items, which remembers what files of each kind are like: it opens few of them. */
export function makeReadLiveItem(): ReadLiveItem {
  const kinds = makeFileKinds();
  return async (item, { location, rules, findScene, doors }) => {
    const context = { location, rules, findScene, probe: true };
    const planned = await planItem(item, context).catch(toPlainRefusal);
    const { scene } = await completeItem(planned, {
      doors: { ...doors, kinds, hidesAddresses: true },
      context,
    });
    return { ...scene, provenance: PROVENANCE };
  };
}

/** The refusal of an ingest names the address and the setting that would allow it, which are not for users of the service. */
function toPlainRefusal(error: unknown): never {
  if (!isSwathError(error) || error.code !== 'source-not-allowed') throw error;
  throw notAllowed(
    'source-not-allowed',
    'The item of this scene refers to files that are not where the files of its catalog may lie.',
    { cause: error },
  );
}
