/** Two scenes that are compared, and how the address names them. */
import type { Picture } from '../scenes/picture.ts';
import type { Scene } from '../scenes/scene.ts';

/** A divider over one map, two maps next to each other, or the right one minus the left one. */
export const COMPARE_MODES = ['swipe', 'side', 'difference'] as const;

/** One of them. */
export type CompareMode = (typeof COMPARE_MODES)[number];

/** The two sides, by where they are on the screen. */
export type SideName = 'left' | 'right';

/** A scene in a picture: one of two that are compared. */
export interface Side {
  readonly scene: Scene;
  readonly picture: Picture;
}

interface ComparisonOptions {
  readonly mode: CompareMode;
  /** Where the divider of the swipe is: 0 for the left edge of the map, 1 for the right one. */
  readonly split: number;
  /** The index or expression whose difference is shown; `null` to let the viewer choose. */
  readonly measure: string | null;
  /** The difference at which the colours end; `null` to let the viewer choose. */
  readonly limit: number | null;
}

/** Two sides and how they are compared. */
export interface Comparison extends ComparisonOptions {
  readonly left: Side;
  readonly right: Side;
}

/** A side as an address names it. */
export interface SideAddress {
  readonly sceneId: string;
  readonly dataset: string | null;
  readonly picture: Picture;
}

/** A comparison as an address names it. */
export interface ComparisonAddress extends ComparisonOptions {
  readonly left: SideAddress;
  readonly right: SideAddress;
}

const toSideAddress = ({ scene, picture }: Side): SideAddress => ({
  sceneId: scene.id,
  dataset: scene.sensor.dataset,
  picture,
});

/** The names of what is compared; `null` for no comparison. */
export const toComparisonAddress = (comparison: Comparison | null): ComparisonAddress | null =>
  comparison && {
    mode: comparison.mode,
    left: toSideAddress(comparison.left),
    right: toSideAddress(comparison.right),
    split: comparison.split,
    measure: comparison.measure,
    limit: comparison.limit,
  };
