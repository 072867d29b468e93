import { isSwathError } from '../errors.ts';
import { makeJp2Decoder } from '../formats/index.ts';
import { findBand, sensorByDataset } from '../sensors/index.ts';
import type { OpenSource } from '../storage/index.ts';
import type { Asset } from './asset.ts';
import { convertAsset } from './convert-asset.ts';
import type { NewScene, Scene } from './scene.ts';
import type { SceneStore } from './scene-store.ts';

/** Where converted files go, inside the data directory. */
const CONVERTED_FOLDER = 'converted';

/** What became of one scene. */
export interface SceneConversion {
  readonly viewId: string;
  /** Bands that were converted. */
  readonly converted: readonly string[];
  /** Bands that stay as they are, with the reason; those that are fast enough are not listed. */
  readonly kept: readonly { readonly band: string; readonly reason: string }[];
}

/** What became of all of them. */
export interface ConversionReport {
  readonly scenes: readonly SceneConversion[];
  /** Whether it ended before the last one because it was told to. */
  readonly stopped: boolean;
}

interface ConvertScenesOptions {
  readonly viewIds: readonly string[];
  readonly store: Pick<SceneStore, 'findByViewId' | 'replace'>;
  readonly open: OpenSource;
  readonly dataDir: string;
  readonly signal: AbortSignal;
  /** From 0 to 1 over all scenes. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Converts what is slow to show into COGs, band by band. Each finished band is in the catalog at once, so rendering works
 * before, meanwhile and after, and a run that was stopped is repeated for the rest.
 */
export async function convertScenes(options: ConvertScenesOptions): Promise<ConversionReport> {
  const { viewIds, store, signal, onProgress } = options;
  const jp2Decoder = makeJp2Decoder();
  const scenes: SceneConversion[] = [];
  for (const [done, viewId] of viewIds.entries()) {
    if (signal.aborted) return { scenes, stopped: true };
    const scene = await store.findByViewId(viewId);
    if (scene === null) continue;
    const report = (fraction: number) => onProgress((done + fraction) / viewIds.length);
    const { isWhole, ...conversion } = await convertScene(scene, {
      ...options,
      jp2Decoder,
      onProgress: report,
    });
    scenes.push(conversion);
    if (!isWhole) return { scenes, stopped: true };
  }
  onProgress(1);
  return { scenes, stopped: false };
}

/** `isWhole` is false when it was told to stop. */
async function convertScene(
  scene: Scene,
  options: ConvertScenesOptions & { readonly jp2Decoder: ReturnType<typeof makeJp2Decoder> },
): Promise<SceneConversion & { readonly isWhole: boolean }> {
  const { store, open, dataDir, signal, onProgress, jp2Decoder } = options;
  const { viewId } = scene;
  const sensor = sensorByDataset(scene.dataset);
  const bands = Object.keys(scene.assets);
  const converted: string[] = [];
  const kept: { band: string; reason: string }[] = [];
  let current = scene;
  for (const [done, band] of bands.entries()) {
    if (signal.aborted) return { viewId, converted, kept, isWhole: false };
    try {
      const asset = await convertAsset(current.assets[band] as Asset, {
        open,
        dataDir,
        signal,
        jp2Decoder,
        href: `${CONVERTED_FOLDER}/${viewId.replaceAll('/', '-')}/${band}.tif`,
        isQuality: sensor !== null && findBand(sensor, band)?.kind === 'quality',
        onProgress: (fraction) => onProgress((done + fraction) / bands.length),
      });
      if (asset === null) continue;
      // Converting takes minutes: a record that was replaced or taken out meanwhile must not come back.
      const assets = { ...current.assets, [band]: asset };
      const changed = await store.replace(withoutVersion({ ...current, assets }), current.version);
      if (changed === null) {
        kept.push({ band, reason: 'The scene was changed or removed meanwhile; convert it again.' });
        break;
      }
      current = changed;
      converted.push(band);
    } catch (error) {
      // Whatever breaks off at a stop is the stop; all but the bands before it is done again by the next run.
      if (signal.aborted) return { viewId, converted, kept, isWhole: false };
      // A full disk ends the run; a file that cannot be converted only stays as it is.
      const isOfFile = isSwathError(error) && ['unsupported', 'source-broken'].includes(error.tag);
      if (!isOfFile) throw error;
      kept.push({ band, reason: error.message });
    }
  }
  return { viewId, converted, kept, isWhole: true };
}

function withoutVersion({ version: _, ...scene }: Scene): NewScene {
  return scene;
}
