/** Comparing two scenes. */
import { planBands } from '../scenes/bands.ts';
import { toBox } from '../scenes/footprint.ts';
import type { Picture } from '../scenes/picture.ts';
import { planOtherSide } from '../scenes/plan-frames.ts';
import type { Scene } from '../scenes/scene.ts';
import type {
  CompareMode,
  Comparison,
  ComparisonAddress,
  Side,
  SideAddress,
  SideName,
} from '../state/comparison.ts';
import type { ActionParts } from './action-parts.ts';
import type { Report } from './report.ts';

/** What a user does to compare. */
export interface CompareActions {
  /** Compares the shown scene with the date before it, in the same picture. */
  startComparison(mode: CompareMode): void;
  changeComparison(change: Partial<Pick<Comparison, 'mode' | 'split' | 'measure' | 'limit'>>): void;
  /** Another scene of the list on one side; its picture is translated to the sensor. */
  chooseSideScene(name: SideName, viewId: string): void;
  chooseSidePicture(name: SideName, change: Partial<Picture>): void;
  swapSides(): void;
  /** Goes back to the one scene that was shown before. */
  leaveComparison(): void;
}

/** The same picture of another scene; a contrast is of the values of one expression on one sensor. */
const toPictureOf = (scene: Scene, { scene: { sensor }, picture }: Side): Picture => {
  const bands = planBands(scene.sensor, { bands: picture.bands, of: sensor });
  const isSame = sensor.dataset === scene.sensor.dataset && bands === picture.bands;
  return { ...picture, bands, contrast: isSame ? picture.contrast : null };
};

/** Builds them; they also look for the scenes of a comparison that an address names. */
export const makeCompareActions = ({ store, api, texts }: ActionParts, report: Report): CompareActions => {
  const change = (next: (comparison: Comparison) => Comparison): void =>
    store.update((state) =>
      state.comparison === null ? state : { ...state, comparison: next(state.comparison) },
    );

  const findScene = async ({ sceneId, dataset }: SideAddress): Promise<Scene | null> => {
    const { results, knowledge } = store.read();
    const isWanted = ({ id, sensor }: Scene): boolean =>
      id === sceneId && (dataset === null || dataset === sensor.dataset);
    const listed = results.scenes.find(isWanted);
    if (listed !== undefined) return listed;
    const sensors = knowledge?.sensors ?? [];
    const all = sensors.map((sensor) => sensor.dataset);
    const datasets = all.filter((name) => dataset === null || name === dataset);
    const page = await api.findScenes(sceneId, datasets.length > 0 ? datasets : all, sensors);
    return page.scenes.find(isWanted) ?? null;
  };

  const toSide = (scene: Scene, picture: Picture): Side => ({
    scene,
    picture: {
      ...picture,
      bands: planBands(scene.sensor, { bands: picture.bands, of: null }),
      // That of the address may have been replaced while the scenes were looked for.
      clip: store.read().picture.clip,
    },
  });

  const follow = async (wanted: ComparisonAddress): Promise<void> => {
    try {
      const [left, right] = await Promise.all([findScene(wanted.left), findScene(wanted.right)]);
      // Another address may have come in the meantime.
      if (store.read().wantedComparison !== wanted) return;
      const lost = left === null ? wanted.left : right === null ? wanted.right : null;
      if (lost !== null) report.showError(texts.compare.lost(lost.sceneId));
      const comparison = left &&
        right && {
          ...wanted,
          left: toSide(left, wanted.left.picture),
          right: toSide(right, wanted.right.picture),
        };
      store.update((state) => ({ ...state, comparison, wantedComparison: null }));
    } catch (error) {
      if (store.read().wantedComparison !== wanted) return;
      store.update((state) => ({ ...state, wantedComparison: null }));
      report.fail(error);
    }
  };
  store.watch(
    ({ phase, wantedComparison }) => (phase.kind === 'ready' ? wantedComparison : null),
    (wanted) => {
      if (wanted !== null) void follow(wanted);
    },
  );

  return {
    startComparison(mode) {
      const { shown, picture, results, bounds } = store.read();
      if (shown === null) return;
      const other = planOtherSide(results.scenes, { shown, bounds: bounds ?? toBox(shown.outline) });
      if (other === null) return report.showError(texts.compare.onlyOne);
      const own: Side = { scene: shown, picture };
      const second: Side = { scene: other, picture: toPictureOf(other, own) };
      // Time runs from left to right.
      const [left, right] = other.date <= shown.date ? [second, own] : [own, second];
      const comparison: Comparison = { mode, left, right, split: 0.5, measure: null, limit: null };
      store.update((state) => ({ ...state, comparison, animation: null, probe: null, notices: [] }));
    },
    changeComparison: (next) => change((comparison) => ({ ...comparison, ...next })),
    chooseSideScene(name, viewId) {
      const scene = store.read().results.scenes.find((one) => one.viewId === viewId);
      if (scene === undefined) return;
      report.clear();
      change((comparison) => {
        const picture = toPictureOf(scene, comparison[name]);
        return { ...comparison, [name]: { scene, picture } };
      });
    },
    chooseSidePicture(name, next) {
      report.clear();
      change((comparison) => {
        const { scene, picture } = comparison[name];
        return { ...comparison, [name]: { scene, picture: { ...picture, ...next } } };
      });
    },
    swapSides: () =>
      change((comparison) => ({ ...comparison, left: comparison.right, right: comparison.left })),
    leaveComparison: () =>
      store.update((state) => ({ ...state, comparison: null, wantedComparison: null, notices: [] })),
  };
};
