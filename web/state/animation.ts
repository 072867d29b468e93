/** The dates of the list as a film. */
import type { Picture } from '../scenes/picture.ts';

/** Frames a second that can be chosen. */
export const SPEEDS = [0.5, 1, 2, 4, 8] as const;

/** What an address remembers of a film. */
export interface AnimationAddress {
  readonly framesPerSecond: number;
  readonly isLooping: boolean;
  /** Scenes with more clouds, in percent, are left out; 100 for any. */
  readonly maxCloudPercent: number;
}

/** A film, and where it stands. */
export interface Animation extends AnimationAddress {
  readonly isPlaying: boolean;
  /** The scene of the frame that is shown; `null` before the first one is drawn. */
  readonly viewId: string | null;
  /** How all frames are drawn; `null` until that is planned. */
  readonly picture: Picture | null;
}

/** A film with nothing chosen: two dates a second are slow enough to see what changes. */
export const PLAIN_ANIMATION: Animation = {
  framesPerSecond: 2,
  isLooping: true,
  maxCloudPercent: 30,
  isPlaying: true,
  viewId: null,
  picture: null,
};
