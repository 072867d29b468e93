import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Jp2Writer } from '../../../src/formats/jp2/index.ts';
import { createJp2, makeJp2Encoder } from '../../../src/formats/jp2/index.ts';
import type { Affine } from '../../../src/geo/index.ts';
import { epsg, frame } from '../../setting.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { BandGroup, MsiBand } from './band-groups.ts';
import { ADDED, planGroups, TRUE_COLOUR, toBrightness } from './band-groups.ts';
import type { CloudMasks } from './cloud-masks.ts';
import { addToMasks, makeCloudMasks } from './cloud-masks.ts';
import type { Sentinel2Plan } from './plan.ts';
import { hasOffset } from './plan.ts';
import { makePreview } from './preview.ts';
import { makeProgress, writeGroup } from './write-group.ts';

/** The provider's tiles have 1024, 640 and 192 pixels a side; ours are the powers of two next to them. */
const TILES: Readonly<Record<number, number>> = { 10: 1024, 20: 512, 60: 256 };
/** The provider's images have 15 bits. */
const STORED_BITS = 15;

/** Which images are written, and where. */
interface ImagesRequest {
  readonly plan: Sentinel2Plan;
  readonly bands: readonly MsiBand[];
  /** Absolute folder that the paths count from. */
  readonly folder: string;
  toBandPath(name: string): string;
  /** The true-colour picture; null for none. */
  readonly picturePath: string | null;
  /** The image of cloud flags; null for none. */
  readonly maskPath: string | null;
}

/** Writes the images of a Level-1C product; returns its clouds, and a preview as JPEG. */
export async function writeL1cImages(
  deps: ProductDeps,
  request: ImagesRequest,
): Promise<{ readonly masks: CloudMasks; readonly preview: Uint8Array }> {
  const { plan, bands } = request;
  const encoder = deps.jp2Encoder ?? makeJp2Encoder();
  const create = async (path: string, { width, height, pixelM }: Grid, how: Samples): Promise<Jp2Writer> => {
    const file = join(request.folder, path);
    await mkdir(dirname(file), { recursive: true });
    const { x, y } = plan.window;
    const transform: Affine = [frame.west + x, pixelM, 0, frame.north - y, 0, -pixelM];
    return createJp2(file, { width, height, epsg, transform, ...how }, encoder);
  };
  const groups = planGroups(plan, bands);
  const added = hasOffset(plan.baseline) ? ADDED : 0;
  const coarsest = groups.at(-1)!;
  const pictured = groups.find((group) => group.bands.some(({ name }) => name === TRUE_COLOUR[0]))!;
  const masks = makeCloudMasks(coarsest);
  const preview = makePreview(pictured, added);
  const colours = { bandCount: 3, bitsPerSample: 8, tileSize: TILES[10]! };
  const picture = request.picturePath === null ? null : await create(request.picturePath, pictured, colours);
  const onPixels = makeProgress(deps, groups);
  try {
    for (const group of groups) {
      await writeGroup(deps, {
        plan,
        group,
        level: 'top',
        added,
        onPixels,
        createFile: ({ name, resolutionM }) =>
          create(request.toBandPath(name), group, {
            bandCount: 1,
            bitsPerSample: STORED_BITS,
            tileSize: TILES[resolutionM]!,
          }),
        async onStrip(strip, stored) {
          if (group === coarsest) addToMasks(masks, strip);
          if (group !== pictured) return;
          const rows = TRUE_COLOUR.map((name) => stored.get(name)!);
          preview.addRows(rows, strip.rowCount);
          await picture?.writeRows(
            rows.map((numbers) => Uint8Array.from(numbers, (number) => toBrightness(number, added))),
            strip.rowCount,
          );
        },
      });
    }
    await picture?.finish();
  } catch (error) {
    await picture?.abort();
    throw error;
  }
  if (request.maskPath !== null) {
    const size = { bandCount: 3, bitsPerSample: 8, tileSize: TILES[60]! };
    await writeMasks(await create(request.maskPath, masks, size), masks);
  }
  return { masks, preview: preview.encode() };
}

type Grid = Pick<BandGroup, 'width' | 'height' | 'pixelM'>;

interface Samples {
  readonly bandCount: number;
  readonly bitsPerSample: number;
  readonly tileSize: number;
}

/** Three bands of flags: opaque clouds, cirrus and snow. */
async function writeMasks(file: Jp2Writer, { opaque, cirrus, snow, height }: CloudMasks): Promise<void> {
  try {
    await file.writeRows([opaque, cirrus, snow], height);
    await file.finish();
  } catch (error) {
    await file.abort();
    throw error;
  }
}
