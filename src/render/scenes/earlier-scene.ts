import type { Asset, FieldFilter, Scene, SceneQuery, SceneStore } from '../../catalog/index.ts';
import { applyAffine } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { DAY_MS } from '../../units.ts';
import type { ComparedScene } from '../plan/render-plan.ts';

/** The scene with the one that it is compared with; null when the catalog has none that suits. */
export async function addEarlier(
  scenes: Pick<SceneStore, 'search'>,
  scene: Scene,
  bands: readonly string[],
): Promise<ComparedScene> {
  const query = planEarlierSearch(scene);
  if (query === null) return { ...scene, earlier: null };
  const { scenes: candidates } = await scenes.search(query);
  return { ...scene, earlier: chooseEarlier(scene, candidates, bands) };
}

/** Ground is seen every few days for two months, and a day may have been processed several times. */
const MAX_CANDIDATES = 100;

const dayOf = ({ acquiredAt }: Scene): number => Math.floor(Date.parse(acquiredAt) / DAY_MS);
const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** How the scene's sensor looks back; null where no alias of it does. */
const findRule = ({ dataset }: Scene): Sensor['earlierScene'] =>
  sensorByDataset(dataset)?.earlierScene ?? null;

/** The search for scenes that a scene may be compared with; null when it does not say what ground it shows. Pure. */
export function planEarlierSearch(scene: Scene): SceneQuery | null {
  const { dataset, fields } = scene;
  const rule = findRule(scene);
  if (rule === null) return null;
  const ground: FieldFilter[] = [];
  for (const field of rule.groundFields) {
    const value = fields[field] ?? null;
    if (value === null) return null;
    ground.push({ field, kind: 'one-of', values: [value] });
  }
  const day = dayOf(scene);
  const from = toDate(day - rule.maxDays);
  const to = toDate(day - rule.minDays);
  return {
    datasets: [{ id: dataset, filters: [...ground, { field: 'date', kind: 'range', from, to }] }],
    sort: { field: 'date', descending: true },
    offset: 0,
    limit: MAX_CANDIDATES,
  };
}

/**
 * The scene that a scene is compared with: of the same ground with all these bands, as old as the sensor's rule says,
 * with few clouds and not cut off by its orbit; of several the latest, of one day the one with most data. Null when
 * none suits. Pure.
 */
export function chooseEarlier(
  scene: Scene,
  candidates: readonly Scene[],
  bands: readonly string[],
): Scene | null {
  const rule = findRule(scene);
  if (rule === null) return null;
  const day = dayOf(scene);
  const suits = (other: Scene): boolean => {
    const days = day - dayOf(other);
    return (
      other.dataset === scene.dataset &&
      days >= rule.minDays &&
      days <= rule.maxDays &&
      // A scene without a stated cloud cover may have been cloudy.
      (other.cloudPercent ?? 100) <= rule.maxCloudPercent &&
      (other.coveragePercent ?? 100) >= rule.minCoveragePercent &&
      bands.every((band) => isSameGround(scene.assets[band], other.assets[band]))
    );
  };
  const [best] = candidates.filter(suits).toSorted(
    (a, b) =>
      dayOf(b) - dayOf(a) ||
      (b.coveragePercent ?? 0) - (a.coveragePercent ?? 0) ||
      // View ids differ, so the order of the search does not matter.
      (a.viewId < b.viewId ? 1 : -1),
  );
  return best ?? null;
}

/** Whether two files show the same rectangle, to a pixel; their resolutions may differ. */
function isSameGround(one: Asset | undefined, other: Asset | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.epsg !== other.epsg || one.proj !== other.proj) return false;
  const pixel = Math.max(Math.abs(one.transform[1]), Math.abs(other.transform[1]));
  const cornersOf = ({ transform, width, height }: Asset) => [
    ...applyAffine(transform, 0, 0),
    ...applyAffine(transform, width, height),
  ];
  const others = cornersOf(other);
  return cornersOf(one).every((value, i) => Math.abs(value - (others[i] as number)) <= pixel);
}
