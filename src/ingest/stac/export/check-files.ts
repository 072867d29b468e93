import type { Asset, NewScene } from '../../../catalog/index.ts';
import { isSwathError, sourceBroken } from '../../../errors.ts';
import { toShownAddress } from '../../../net/index.ts';
import { withAssetFile } from '../../files/read-asset.ts';
import { withStamps } from '../../files/scene-files.ts';
import type { FileDoors } from '../scene/read-files.ts';

/**
 * Opens each file of a scene that was exported by Swath, once. The export may be old, or come from another machine: a
 * scene whose files are missing or different must not enter the catalog. Returns the record with the current states of
 * its files.
 */
export async function checkFiles(scene: NewScene, given: FileDoors): Promise<NewScene> {
  const { assets, cloudMask } = scene;
  const seen = new Map<string, string>();
  const doors: FileDoors = {
    ...given,
    async open(href, signal) {
      const source = await given.open(href, signal);
      seen.set(href, source.version);
      return source;
    },
  };
  const flags = cloudMask?.kind === 'flags' ? [cloudMask.asset] : [];
  const images = new Map([...Object.values(assets), ...flags].map((asset) => [asset.href, asset]));
  const checks = [...images.values()].map((asset) => naming(asset.href, () => checkImage(asset, doors)));
  if (cloudMask?.kind === 'polygons') {
    const { href } = cloudMask;
    checks.push(naming(href, () => doors.gate.run(async () => (await doors.open(href)).close())));
  }
  await Promise.all(checks);
  return { ...scene, ...withStamps(scene, (href) => seen.get(href) ?? null) };
}

function checkImage(asset: Asset, doors: FileDoors): Promise<void> {
  return doors.gate.run(() =>
    withAssetFile({ ...doors, toHref: (same) => same }, asset, async ({ levels: [{ width, height }] }) => {
      if (width === asset.width && height === asset.height) return;
      throw sourceBroken(
        'other-image',
        `The image has ${width} × ${height} pixels, but the item says ${asset.width} × ${asset.height}.`,
      );
    }),
  );
}

async function naming(href: string, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'cancelled' || error.tag === 'internal') throw error;
    throw sourceBroken(error.code, `${toShownAddress(href)}: ${error.message}`, { cause: error });
  }
}
