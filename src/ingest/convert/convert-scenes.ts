import type { Asset, NewScene, Scene, SceneStore } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import { findBand, sensorByDataset } from '../../sensors/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { convertAsset } from './convert-asset.ts';

/** Where converted files go, inside the data directory. */
const CONVERTED_FOLDER = 'converted';

/** A band that stays as it is. */
interface UnconvertedBand {
  readonly band: string;
  readonly reason: string;
  /** Present if its file cannot be read. */
  readonly isDamaged?: true;
}

/** The outcome for one scene. */
export interface SceneConversion {
  readonly viewId: string;
  /** Bands that were converted. */
  readonly converted: readonly string[];
  /** Bands that could not be converted, with the reason; bands that are fast enough are not listed. */
  readonly unconverted: readonly UnconvertedBand[];
}

/** The outcome for all scenes. */
export interface ConversionReport {
  readonly scenes: readonly SceneConversion[];
  /** Whether the run was stopped before the last scene. */
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
 * Converts bands that are slow to show into COGs. Each finished band is put into the catalog at once, so rendering works
 * throughout, and another run continues where one was stopped.
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

/** `isWhole` is false when the run was stopped. */
async function convertScene(
  scene: Scene,
  options: ConvertScenesOptions & { readonly jp2Decoder: ReturnType<typeof makeJp2Decoder> },
): Promise<SceneConversion & { readonly isWhole: boolean }> {
  const { store, open, dataDir, signal, onProgress, jp2Decoder } = options;
  const { viewId } = scene;
  const sensor = sensorByDataset(scene.dataset);
  const bands = Object.keys(scene.assets);
  const converted: string[] = [];
  const unconverted: UnconvertedBand[] = [];
  let current = scene;
  for (const [done, band] of bands.entries()) {
    if (signal.aborted) return { viewId, converted, unconverted, isWhole: false };
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
      // Converting takes minutes: a record that was replaced or removed meanwhile must not come back.
      const assets = { ...current.assets, [band]: asset };
      const changed = await store.replace(withoutVersion({ ...current, assets }), current.version);
      if (changed === null) {
        unconverted.push({ band, reason: 'The scene was changed or removed meanwhile; convert it again.' });
        break;
      }
      current = changed;
      converted.push(band);
    } catch (error) {
      // Any error after a stop is caused by the stop; the next run does this band again.
      if (signal.aborted) return { viewId, converted, unconverted, isWhole: false };
      // A full disk ends the run; a file that cannot be converted stays as it is.
      const isOfFile = isSwathError(error) && ['unsupported', 'source-broken'].includes(error.tag);
      if (!isOfFile) throw error;
      const why = { band, reason: error.message };
      unconverted.push(error.tag === 'source-broken' ? { ...why, isDamaged: true } : why);
    }
  }
  return { viewId, converted, unconverted, isWhole: true };
}

function withoutVersion({ version: _, ...scene }: Scene): NewScene {
  return scene;
}
