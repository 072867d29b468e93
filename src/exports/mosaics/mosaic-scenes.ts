import type { SceneHit } from '../../catalog/index.ts';
import type { FileMetadata } from '../../formats/tiff/index.ts';
import type { PlannedMosaic, SourceShare } from '../../mosaic/index.ts';
import { isPicking } from '../../mosaic/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { tooLarge } from '../errors.ts';
import type { MosaicOrder } from './mosaic-order.ts';

/** A scene that a file has pixels of, and its number in the band of sources. */
export interface UsedScene {
  readonly number: number;
  readonly hit: SceneHit;
}

/** The scenes of an order: numbered from 1 in the order of the selection, the same in all its files. */
export interface MosaicScenes {
  readonly all: readonly SceneHit[];
  /** The numbers of a plan's candidates, by their positions. */
  toNumbers(planned: PlannedMosaic): Uint16Array;
  /** A list of the scenes that one file has pixels of. */
  begin(): UsedScenes;
}

/** The scenes that a file has pixels of, as far as it is made. */
export interface UsedScenes {
  add(sources: readonly SourceShare[]): void;
  list(): readonly UsedScene[];
}

/** The numbers that all types of pixels hold. */
const MAX_SCENES = 32_767;

/** Numbers the scenes of an order. */
export function numberScenes(all: readonly SceneHit[]): MosaicScenes {
  if (all.length > MAX_SCENES) {
    throw tooLarge(
      'file-too-large',
      `The mosaic has ${all.length} scenes; ${MAX_SCENES} are the limit. Order a shorter period or a smaller area.`,
    );
  }
  const numbers = new Map(all.map(({ viewId }, i) => [viewId, i + 1]));
  return {
    all,
    toNumbers: ({ candidates }) => Uint16Array.from(candidates, ({ hit }) => numbers.get(hit.viewId) ?? 0),
    begin() {
      const used = new Set<number>();
      return {
        add(sources) {
          for (const { hit } of sources) used.add(numbers.get(hit.viewId) ?? 0);
        },
        list: () =>
          [...used]
            .filter((number) => number > 0)
            .toSorted((a, b) => a - b)
            .map((number) => ({ number, hit: all[number - 1]! })),
      };
    },
  };
}

/** Scenes whose names a TIFF states: more would make a header that readers refuse. */
const MAX_NAMED = 5_000;

/** What a TIFF says of the mosaic it holds. */
export function toMetadata({ mosaic }: MosaicOrder, scenes: readonly UsedScene[]): FileMetadata {
  const { search, composition } = mosaic;
  const sensors = search.datasets.map((id) => sensorByDataset(id)?.abbreviation ?? id);
  return {
    MOSAIC_SENSORS: sensors.join(','),
    MOSAIC_PERIOD: `${search.period.from}..${search.period.to}`,
    MOSAIC_SELECTION: composition.selection.kind,
    MOSAIC_SCENES: String(scenes.length),
    ...Object.fromEntries(
      scenes.slice(0, MAX_NAMED).map(({ number, hit }) => [`SCENE_${number}`, hit.viewId]),
    ),
  };
}

/** What the band of sources is called. */
export const toSourceDescription = ({ mosaic }: MosaicOrder): string =>
  isPicking(mosaic.composition.selection)
    ? 'source: number of the scene, named SCENE_<number> in the metadata'
    : 'source: number of scenes';
