/** The film: `animate=2&animate.loop=0&animate.clouds=10&animate.date=2026-06-21`, frames a second and what differs from a plain one. */
import type { AnimationAddress } from '../animation.ts';
import { PLAIN_ANIMATION, SPEEDS } from '../animation.ts';
import { DAY, parsePercent, takeIf } from './forms.ts';

/** Reads it; `null` where no film is open. */
export const parseAnimation = (parts: URLSearchParams): AnimationAddress | null => {
  const framesPerSecond = SPEEDS.find((speed) => String(speed) === parts.get('animate'));
  if (framesPerSecond === undefined) return null;
  return {
    framesPerSecond,
    isLooping: parts.get('animate.loop') !== '0',
    maxCloudPercent: parsePercent(parts.get('animate.clouds')) ?? PLAIN_ANIMATION.maxCloudPercent,
    date: takeIf(parts.get('animate.date'), DAY),
  };
};

/** Writes it. */
export const toAnimationParts = (animation: AnimationAddress): string[] => {
  const { framesPerSecond, isLooping, maxCloudPercent, date } = animation;
  const parts = [`animate=${framesPerSecond}`];
  if (!isLooping) parts.push('animate.loop=0');
  if (maxCloudPercent !== PLAIN_ANIMATION.maxCloudPercent) parts.push(`animate.clouds=${maxCloudPercent}`);
  if (date !== null) parts.push(`animate.date=${date}`);
  return parts;
};
