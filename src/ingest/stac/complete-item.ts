import type { Gate } from '../../async/index.ts';
import type { Asset, NewScene } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { Jp2Decoder } from '../../formats/jp2/index.ts';
import { toShownAddress } from '../../net/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { PixelType } from '../../raster/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { MAX_METADATA_BYTES } from '../../xml/index.ts';
import { sourceBroken, tooLarge, unsupported } from '../errors.ts';
import type { SceneFacts } from '../families/family.ts';
import { readAssetFile } from '../read-files.ts';
import { chooseScale, itemFootprint, toSceneRecord } from '../record/scene-record.ts';
import { chooseAddress } from './addresses.ts';
import type { FileKinds, StatedFile } from './file-kinds.ts';
import type { StacAsset, StacPlacement } from './item.ts';
import { toPlacement } from './item.ts';
import type { ItemContext, PlannedBand, PlannedItem } from './plan-item.ts';

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
  const assets =
    doors === null ? stateAll(planned, notes) : await readFiles({ ...planned, facts }, { doors, notes });
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

/** How files of items are read; `gate` bounds the number of open files. */
export interface FileDoors {
  readonly open: OpenSource;
  readonly jp2Decoder: Jp2Decoder;
  readonly gate: Gate;
  readonly signal?: AbortSignal | undefined;
  /** Whether messages leave out addresses, because users of the service read them, and not its operator. */
  readonly hidesAddresses?: boolean;
  /** Without it the header of every file is read. */
  readonly kinds?: FileKinds;
}

/** A band whose file was read. */
interface ReadBand {
  readonly asset: Asset;
  /** About the scale of its file; null if there is nothing to report. */
  readonly note: string | null;
}

/**
 * Reads the header of each file of an item once, however many bands it holds. Bands that a file lacks are left out (three
 * colours instead of four). Any other failure breaks the item.
 */
async function readFiles(
  planned: PlannedItem,
  { doors, notes }: { readonly doors: FileDoors; readonly notes: string[] },
): Promise<ReadonlyMap<string, Asset>> {
  const { bands } = planned;
  const files = Map.groupBy(bands, ([, { href }]) => href);
  const groups = await Promise.all([...files.values()].map((group) => findFile(doors, group, planned)));
  const read = new Map(groups.flat());
  const assets = new Map<string, Asset>();
  // In the order of the sensor, not of the responses.
  for (const name of bands.keys()) {
    const band = read.get(name);
    if (band === undefined) continue;
    assets.set(name, band.asset);
    if (band.note !== null) notes.push(band.note);
  }
  return assets;
}

/** The bands of a file, from its header unless files of its kind are known. */
async function findFile(
  doors: FileDoors,
  group: readonly (readonly [string, PlannedBand])[],
  planned: PlannedItem,
): Promise<(readonly [string, ReadBand])[]> {
  const read = () => doors.gate.run(() => readFile(doors, group, planned.facts));
  const [[name, band] = []] = group;
  const stated =
    name === undefined || band === undefined || group.length > 1 ? null : toStatedFile(band, planned);
  if (name === undefined || stated === null || doors.kinds === undefined) return read();
  let own: ReadBand | null = null;
  const asset = await doors.kinds.find(stated, async () => {
    const [[, found] = []] = await read();
    // A file of one band has it, or reading it fails.
    own = found!;
    return own.asset;
  });
  return [[name, own ?? { asset, note: null }]];
}

/** What the item states of a file; null if that is not all that its kind does not say. */
function toStatedFile(band: PlannedBand, planned: PlannedItem): StatedFile | null {
  const { found } = band;
  const { resolutionM, kind, type } = found.band;
  try {
    const asset = stateAsset(band, planned);
    if (asset === null) return null;
    return { asset, traits: [planned.item.collection, found.asset.type, resolutionM, kind, type] };
  } catch (error) {
    // The header may say it in another way.
    if (isSwathError(error) && error.tag !== 'internal') return null;
    throw error;
  }
}

async function readFile(
  { open, jp2Decoder, signal, hidesAddresses = false }: FileDoors,
  group: readonly (readonly [string, PlannedBand])[],
  facts: SceneFacts,
): Promise<(readonly [string, ReadBand])[]> {
  const bands = group.toSorted(([, a], [, b]) => b.found.bandIndex - a.found.bandIndex);
  for (const [i, [name, { found, href }]] of bands.entries()) {
    try {
      const { asset, scales } = await readAssetFile(
        { open, toHref: (same) => same, jp2Decoder, signal },
        {
          path: href,
          name: hidesAddresses ? name : `${name} (${toShownAddress(href)})`,
          bandIndex: found.bandIndex,
          nodata: found.band.nodata,
          ...facts.scaleOf(found),
          fallback: facts.placementOf(name),
        },
      );
      return bands.slice(i).map(([other, { found: source }]) => {
        const { bandIndex } = source;
        const stated = facts.scaleOf(source);
        const ofFile = scales[bandIndex] ?? stated;
        const { note, ...scale } = chooseScale(source.band, { stated, ofFile });
        return [other, { asset: { ...asset, bandIndex, ...scale }, note }];
      });
    } catch (error) {
      const isMissing = isSwathError(error) && error.code === 'no-band' && found.bandIndex > 0;
      if (!isMissing) throw error;
    }
  }
  return [];
}

/** Reads a text file of an item; refuses files larger than any metadata. */
async function readText({ open, gate, signal }: FileDoors, href: string): Promise<string> {
  return gate.run(async () => {
    const source = await open(href);
    try {
      if (source.size > MAX_METADATA_BYTES) {
        throw tooLarge('metadata-too-large', `Its metadata file has more than ${MAX_METADATA_BYTES} bytes.`);
      }
      return new TextDecoder().decode(await source.read(0, source.size, signal));
    } finally {
      await source.close();
    }
  });
}

/**
 * The asset of a file from the fields of its item, unread; null if fields are missing. Items do not list the overviews of
 * a file, so a picture of the whole scene will be slow, or refused.
 */
function stateAsset({ found, href }: PlannedBand, { item, facts, known }: PlannedItem): Asset | null {
  const { band, stated, bandIndex, asset } = found;
  const placement = facts.isPlacedByFile ? null : toPlacement(asset, item);
  if (placement === null) return null;
  if (known.rules.bandsInImage === undefined && !fits(placement, band.resolutionM)) return null;
  const { crs, transform, width, height } = placement;
  // Throws for an unsupported reference system.
  makeProjection(crs, 4326);
  const nodata = stated?.nodata ?? band.nodata;
  return {
    href,
    bandIndex,
    ...(typeof crs === 'number' ? { epsg: crs } : { epsg: 0, proj: crs }),
    transform,
    width,
    height,
    type: toPixelType(stated?.dataType ?? band.type),
    // Records are JSON, which cannot express other numbers; NaN is never data anyway.
    nodata: nodata !== null && Number.isFinite(nodata) ? nodata : null,
    ...facts.scaleOf(found),
    overviews: [],
  };
}

/** Defaults of the item are wrong for a file with another pixel size, such as the panchromatic band. */
function fits({ transform, isOwn }: StacPlacement, resolutionM: number): boolean {
  const ratio = Math.hypot(transform[1], transform[4]) / resolutionM;
  return isOwn || (ratio > 0.75 && ratio < 1.34);
}

function toPixelType(type: string): PixelType {
  if (type === 'uint8' || type === 'uint16' || type === 'int16' || type === 'float32') return type;
  throw unsupported('pixel-type', `Its pixels are of the type ${type.slice(0, 20)}, which no product has.`);
}
