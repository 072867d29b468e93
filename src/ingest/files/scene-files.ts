import type { Asset, NewScene } from '../../catalog/index.ts';
import { sidecarHref } from '../../formats/block-file/index.ts';

/** The parts of a record that name the files its pictures are read from. */
export type SceneFiles = Pick<NewScene, 'assets' | 'cloudMask'>;

/** A file that pictures of a scene are read from, and the state it had when the record was made. */
export interface SceneFile {
  readonly href: string;
  /** Null when it is not known. */
  readonly stamp: string | null;
}

/** Every file of a scene once: images, their sidecars, and the cloud mask. */
export function listSceneFiles({ assets, cloudMask }: SceneFiles): readonly SceneFile[] {
  const files = new Map<string, SceneFile>();
  const add = (href: string, stamp: string | undefined): void => {
    if (!files.has(href)) files.set(href, { href, stamp: stamp ?? null });
  };
  const images = Object.values(assets);
  if (cloudMask?.kind === 'flags') images.push(cloudMask.asset);
  for (const asset of images) {
    for (const [i, href] of hrefsOf(asset).entries()) add(href, asset.stamps?.[i]);
  }
  if (cloudMask?.kind === 'polygons') add(cloudMask.href, cloudMask.stamp);
  return [...files.values()];
}

/** The same files with the given states; an image of which a file is not found keeps the stamps of its record. */
export function withStamps(
  { assets, cloudMask }: SceneFiles,
  findStamp: (href: string) => string | null,
): SceneFiles {
  const stampAsset = (asset: Asset): Asset => {
    const stamps = hrefsOf(asset).map(findStamp);
    return stamps.every((stamp) => stamp !== null) ? { ...asset, stamps } : asset;
  };
  const stampMask = (mask: NonNullable<SceneFiles['cloudMask']>): typeof mask => {
    if (mask.kind === 'flags') return { ...mask, asset: stampAsset(mask.asset) };
    const stamp = mask.kind === 'polygons' ? findStamp(mask.href) : null;
    return mask.kind === 'polygons' && stamp !== null ? { ...mask, stamp } : mask;
  };
  return {
    assets: Object.fromEntries(Object.entries(assets).map(([name, asset]) => [name, stampAsset(asset)])),
    ...(cloudMask === undefined ? {} : { cloudMask: stampMask(cloudMask) }),
  };
}

/** An image and its sidecars, in the order of `stamps`. */
export const hrefsOf = ({ href, sidecars = [] }: Asset): readonly string[] => [
  href,
  ...sidecars.map((suffix) => sidecarHref(href, suffix)),
];
