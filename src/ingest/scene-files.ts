import { isSameImage } from '../blocks/index.ts';
import type { Asset, NewScene } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import { sidecarHref } from '../formats/block-file/index.ts';
import type { Jp2Decoder } from '../formats/jp2/index.ts';
import type { OpenSource } from '../sources/index.ts';
import { sourceBroken } from './errors.ts';
import { readAsset } from './read-files.ts';

/** The parts of a record that name the files its pictures are read from. */
export type SceneFiles = Pick<NewScene, 'assets' | 'cloudMask'>;

/** A file that pictures of a scene are read from, and the state it had when the record was made. */
interface SceneFile {
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
const hrefsOf = ({ href, sidecars = [] }: Asset): readonly string[] => [
  href,
  ...sidecars.map((suffix) => sidecarHref(href, suffix)),
];

interface RenewDeps {
  readonly open: OpenSource;
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal;
}

/**
 * Checks every file of a scene and reads the headers of those that have changed. An image of the same size, type and
 * georeference replaces the one before; any other is an error (`source-changed`): the scene must be ingested again. Of
 * a file that nobody had opened, the header replaces what was stated. A file that cannot be opened stays as the record
 * has it; reading its pixels reports the error.
 */
export async function renewFiles({ assets, cloudMask }: SceneFiles, deps: RenewDeps): Promise<SceneFiles> {
  const entries = Object.entries(assets).map(
    async ([name, asset]) => [name, await renewAsset(asset, deps)] as const,
  );
  const renewed = Object.fromEntries(await Promise.all(entries));
  if (cloudMask === undefined) return { assets: renewed };
  return { assets: renewed, cloudMask: await renewMask(cloudMask, deps) };
}

async function renewMask(mask: NonNullable<SceneFiles['cloudMask']>, deps: RenewDeps): Promise<typeof mask> {
  if (mask.kind === 'flags') return { ...mask, asset: await renewAsset(mask.asset, deps) };
  const stamp = mask.kind === 'polygons' ? await readStamp(mask.href, deps) : null;
  return mask.kind === 'polygons' && stamp !== null ? { ...mask, stamp } : mask;
}

async function renewAsset(asset: Asset, deps: RenewDeps): Promise<Asset> {
  const [stamp, ...sidecars] = await Promise.all(hrefsOf(asset).map((href) => readStamp(href, deps)));
  if (stamp === null || stamp === undefined) return asset;
  // A missing sidecar is a change too: the header is read without it.
  const isSame = [stamp, ...sidecars].every((one, i) => one === asset.stamps?.[i]);
  if (isSame) return asset;
  const fresh = await readFresh(asset, deps);
  // What was stated of a file before anybody opened it was wrong: the header counts.
  if (asset.stamps === undefined) return fresh;
  if (!isReplacement(asset, fresh)) throw otherImage();
  const { sidecars: _, ...rest } = asset;
  const { nodata, overviews, stamps } = fresh;
  return {
    ...rest,
    nodata,
    overviews,
    ...(fresh.sidecars === undefined ? {} : { sidecars: fresh.sidecars }),
    ...(stamps === undefined ? {} : { stamps }),
  };
}

async function readFresh(asset: Asset, deps: RenewDeps): Promise<Asset> {
  const { href, bandIndex, scale, offset, nodata } = asset;
  try {
    return await readAsset(
      { ...deps, toHref: (same) => same },
      { path: href, name: 'An image', bandIndex, scale, offset, nodata, fallback: { record: asset } },
    );
  } catch (error) {
    // Codes of storage: the file exists, but cannot be read right now.
    const isPassing = !isSwathError(error) || /^source-/.test(error.code);
    const isFormat = isSwathError(error) && (error.tag === 'source-broken' || error.tag === 'unsupported');
    throw isFormat && !isPassing ? otherImage(error) : error;
  }
}

/** Null when it cannot be opened. */
async function readStamp(href: string, { open, signal }: RenewDeps): Promise<string | null> {
  try {
    const source = await open(href, signal);
    await source.close();
    return source.version;
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'source-broken') throw error;
    return null;
  }
}

const otherImage = (cause?: unknown) =>
  sourceBroken(
    'source-changed',
    'A file of this scene was replaced by another image; the scene must be ingested again.',
    cause === undefined ? {} : { cause },
  );

const isReplacement = (one: Asset, other: Asset): boolean =>
  isSameImage(one, other) &&
  one.proj === other.proj &&
  JSON.stringify(one.lattice) === JSON.stringify(other.lattice);
