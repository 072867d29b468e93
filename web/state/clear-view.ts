/** The layer that the page begins with: the clear parts of many scenes around a day, put together by the server. */
import type { Scene } from '../scenes/scene.ts';

/** Which days it is made of. */
export interface ClearView {
  /** The day that scenes are nearest to, YYYY-MM-DD; `null` for the newest day there is. */
  readonly date: string | null;
  /** How many days before and after it are looked at. */
  readonly days: number;
}

/** Days around a date that can be chosen. A nearer scene always goes first: more days only fill more gaps. */
export const CLEAR_DAYS = [5, 15, 30, 90, 180] as const;

/** Three months on both sides: even in a cloudy season most ground is seen once. */
export const PLAIN_CLEAR_VIEW: ClearView = { date: null, days: 90 };

/** Why the map is empty where it looks, and what is nearest. */
export type MapNote =
  /** No scene of these days; `day` is the nearest one with a scene here. */
  | { readonly kind: 'other-day'; readonly day: string }
  /** No scene at all; `scene` is the nearest one. */
  | { readonly kind: 'other-place'; readonly scene: Scene }
  | { readonly kind: 'nothing' }
  /** The shown scene is not where the map looks. */
  | { readonly kind: 'away'; readonly scene: Scene }
  /** More scenes than the server puts together at this zoom. */
  | { readonly kind: 'too-wide' };

/** A clear view and what the map has to say; both are parts of the state. */
export interface ClearState {
  /** `null` while one scene is shown. */
  readonly clearView: ClearView | null;
  /** The newest day that a search has found; `null` before the first. */
  readonly newestDay: string | null;
  /** What the map says where it shows nothing; `null` where it does. */
  readonly mapNote: MapNote | null;
}

/** The day that a clear view is about; `null` while none is known. */
export const dayOfClearView = ({
  clearView,
  newestDay,
}: Pick<ClearState, 'clearView' | 'newestDay'>): string | null => clearView?.date ?? newestDay;
