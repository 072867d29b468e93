import type { Gate } from '../../../async/index.ts';
import type { Asset } from '../../../catalog/index.ts';
import { isSwathError, tooLarge } from '../../../errors.ts';
import type { Jp2Decoder } from '../../../formats/jp2/index.ts';
import { toShownAddress } from '../../../net/index.ts';
import type { OpenSource } from '../../../sources/index.ts';
import { MAX_METADATA_BYTES } from '../../../xml/index.ts';
import type { SceneFacts } from '../../families/scene-facts.ts';
import { readAssetFile } from '../../files/read-asset.ts';
import { chooseScale } from '../../record/choose-scale.ts';
import type { PlannedBand } from './plan-item.ts';

/** How files of items are read; `gate` bounds the number of open files. */
export interface FileDoors {
  readonly open: OpenSource;
  readonly jp2Decoder: Jp2Decoder;
  readonly gate: Gate;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the header of each file of an item once, however many bands it holds. Bands that a file lacks are left out (three
 * colours instead of four). Any other failure breaks the item.
 */
export async function readFiles(
  doors: FileDoors,
  bands: ReadonlyMap<string, PlannedBand>,
  facts: SceneFacts,
): Promise<ReadonlyMap<string, Asset>> {
  const files = Map.groupBy(bands, ([, { href }]) => href);
  const read = await Promise.all(
    [...files.values()].map((group) => doors.gate.run(() => readOne(doors, group, facts))),
  );
  const assets = new Map(read.flat());
  // In the order of the sensor, not of the responses.
  return new Map([...bands.keys()].flatMap((name) => (assets.has(name) ? [[name, assets.get(name)!]] : [])));
}

async function readOne(
  { open, jp2Decoder, signal }: FileDoors,
  group: readonly (readonly [string, PlannedBand])[],
  facts: SceneFacts,
): Promise<(readonly [string, Asset])[]> {
  const bands = group.toSorted(([, a], [, b]) => b.found.bandIndex - a.found.bandIndex);
  for (const [i, [name, { found, href }]] of bands.entries()) {
    try {
      const { asset, scales } = await readAssetFile(
        { open, toHref: (same) => same, jp2Decoder, signal },
        {
          path: href,
          name: `${name} (${toShownAddress(href)})`,
          bandIndex: found.bandIndex,
          nodata: found.band.nodata,
          ...facts.scaleOf(found),
          fallback: facts.placementOf(name),
        },
      );
      return bands.slice(i).map(
        ([
          other,
          {
            found: { bandIndex, ...source },
          },
        ]) => {
          const stated = facts.scaleOf(source);
          const ofFile = scales[bandIndex] ?? stated;
          const { note: _, ...scale } = chooseScale(source.band, { stated, ofFile });
          return [other, { ...asset, bandIndex, ...scale }];
        },
      );
    } catch (error) {
      const isMissing = isSwathError(error) && error.code === 'no-band' && found.bandIndex > 0;
      if (!isMissing) throw error;
    }
  }
  return [];
}

/** Reads a text file of an item; refuses files larger than any metadata. */
export async function readText({ open, gate, signal }: FileDoors, href: string): Promise<string> {
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
