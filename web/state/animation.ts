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
  /** The day at which the film stands still; `null` while it plays. */
  readonly date: string | null;
}

/** A film, and where it stands. */
export interface Animation extends AnimationAddress {
  /** The day of the frame that is shown, or that is looked for. */
  readonly date: string | null;
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
  date: null,
  isPlaying: true,
  viewId: null,
  picture: null,
};

/** What the address says of a film: each frame of one that plays would be another address. */
export const toAnimationAddress = (animation: Animation | null): AnimationAddress | null => {
  if (animation === null) return null;
  const { framesPerSecond, isLooping, maxCloudPercent, date, isPlaying } = animation;
  return { framesPerSecond, isLooping, maxCloudPercent, date: isPlaying ? null : date };
};

/** The film of an address, after the one that there was: one with a date stands still there, its scene is looked for. */
export const toAnimation = (address: AnimationAddress, before: Animation): Animation => {
  const { date } = address;
  if (date === null) return { ...before, ...address, date: before.date, isPlaying: true };
  const viewId = before.date === date ? before.viewId : null;
  return { ...before, ...address, date, viewId, isPlaying: false };
};
