/** Which scenes of a list go together: as the frames of a film, or as the other side of a comparison. */
import { coverageOf } from './coverage.ts';
import type { Box } from './footprint.ts';
import { toBox } from './footprint.ts';
import type { Scene } from './scene.ts';

/** A scene that shows this much less of the view than the best one would flash up as a hole. */
const AS_GOOD_AS_BEST = 0.9;
/** Scenes whose boxes differ by more than this factor are of another kind: an overview next to a close look. */
const MAX_SIZE_RATIO = 10;

interface Covering {
  readonly scene: Scene;
  readonly part: number;
}

/** The scenes that show as much of the view as the best of them, or nearly so; none if none shows any. */
const planCovering = (scenes: readonly Scene[], bounds: Box): readonly Covering[] => {
  const covering = scenes.map((scene) => ({ scene, part: coverageOf(scene.outline, bounds) }));
  const best = Math.max(0, ...covering.map(({ part }) => part));
  return covering.filter(({ part }) => part > 0 && part >= best * AS_GOOD_AS_BEST);
};

const sizeOf = ({ outline }: Scene): number => {
  const [west, south, east, north] = toBox(outline);
  return (east - west) * (north - south);
};

/** True for scenes of one dataset and of about the same size. */
const areAlike = (one: Scene, other: Scene): boolean => {
  const ratio = sizeOf(one) / sizeOf(other);
  return one.sensor.dataset === other.sensor.dataset && ratio < MAX_SIZE_RATIO && ratio > 1 / MAX_SIZE_RATIO;
};

/** The part of the view that a scene shows; the view itself if it shows none. */
const shownPart = ({ outline }: Scene, view: Box): Box => {
  const box = toBox(outline);
  // The box may be a world away from a map that was dragged around it.
  const turn = Math.round(((view[0] + view[2]) / 2 - (box[0] + box[2]) / 2) / 360) * 360;
  const [west, east] = [Math.max(box[0] + turn, view[0]), Math.min(box[2] + turn, view[2])];
  const [south, north] = [Math.max(box[1], view[1]), Math.min(box[3], view[3])];
  return west < east && south < north ? [west, south, east, north] : view;
};

/** What scenes have to go with: the one that is shown, in a view. */
interface Anchor {
  readonly shown: Scene;
  readonly bounds: Box;
}

/** The frames of a film, oldest first: one scene a day that is like the shown one, shows what it shows and has few clouds. */
export const planFrames = (
  scenes: readonly Scene[],
  { shown, bounds, maxCloudPercent }: Anchor & { readonly maxCloudPercent: number },
): readonly Scene[] => {
  const clear = scenes.filter(
    (scene) => areAlike(scene, shown) && (scene.cloudPercent ?? 0) <= maxCloudPercent,
  );
  const byDay = new Map<string, Covering>();
  for (const covering of planCovering(clear, shownPart(shown, bounds))) {
    const known = byDay.get(covering.scene.date);
    if (known === undefined || covering.part > known.part) byDay.set(covering.scene.date, covering);
  }
  return [...byDay.values()].map(({ scene }) => scene).sort((a, b) => (a.date < b.date ? -1 : 1));
};

interface FilmStart {
  /** The frame that was shown last, and its day, or the day that an address names. */
  readonly viewId: string | null;
  readonly date: string | null;
}

/** The frame at which a film goes on: the one that was shown, or the first from that day on; `null` while its day may still come. */
export const planStart = (
  frames: readonly Scene[],
  { viewId, date }: FilmStart,
  isListComing: boolean,
): number | null => {
  const shown = frames.findIndex((frame) => frame.viewId === viewId);
  if (shown >= 0 || date === null) return Math.max(0, shown);
  const isThere = frames.some((frame) => frame.date === date);
  // Later pages hold earlier days.
  if (!isThere && isListComing) return null;
  const from = frames.findIndex((frame) => frame.date >= date);
  return from < 0 ? frames.length - 1 : from;
};

/** The scene to compare with: the latest earlier one that shows what the shown one does, or the nearest to that there is. */
export const planOtherSide = (scenes: readonly Scene[], { shown, bounds }: Anchor): Scene | null => {
  const others = scenes.filter(({ viewId }) => viewId !== shown.viewId);
  const alike = others.filter((scene) => areAlike(scene, shown));
  const covering = planCovering(alike, shownPart(shown, bounds)).map(({ scene }) => scene);
  const byDate = covering.toSorted((a, b) => (a.date < b.date ? 1 : -1));
  const earlier = byDate.find(({ date }) => date < shown.date);
  return earlier ?? byDate.at(-1) ?? alike[0] ?? others[0] ?? null;
};
