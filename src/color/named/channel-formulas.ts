import type { Rgb } from '../rgb.ts';

/** Continuous maps that are formulas of the position from 0 to 1; channels are clamped to 0 and 1. */
export const channelFormulas: Readonly<Record<string, (x: number) => Rgb>> = {
  afmhot: (x) => [2 * x, 2 * x - 0.5, 2 * x - 1],
  // Green 2011, "A colour scheme for the display of astronomical intensity images"
  cubehelix: (x) => {
    const angle = 2 * Math.PI * (0.5 / 3 - 1.5 * x);
    const amplitude = (x * (1 - x)) / 2;
    const [cos, sin] = [amplitude * Math.cos(angle), amplitude * Math.sin(angle)];
    return [x - 0.14861 * cos + 1.78277 * sin, x - 0.29227 * cos - 0.90649 * sin, x + 1.97294 * cos];
  },
  flag: (x) => [
    0.75 * Math.sin((x * 31.5 + 0.25) * Math.PI) + 0.5,
    Math.sin(x * 31.5 * Math.PI),
    0.75 * Math.sin((x * 31.5 - 0.25) * Math.PI) + 0.5,
  ],
  gist_gray: (x) => [x, x, x],
  gist_heat: (x) => [1.5 * x, 2 * x - 1, 4 * x - 3],
  gist_yarg: (x) => [1 - x, 1 - x, 1 - x],
  gnuplot: (x) => [Math.sqrt(x), x ** 3, Math.sin(x * 2 * Math.PI)],
  gnuplot2: (x) => [
    x / 0.32 - 0.78125,
    2 * x - 0.84,
    x < 0.25 ? 4 * x : x < 0.92 ? -2 * x + 1.84 : x / 0.08 - 11.5,
  ],
  ocean: (x) => [3 * x - 2, Math.abs((3 * x - 1) / 2), x],
  prism: (x) => [
    0.75 * Math.sin((x * 20.9 + 0.25) * Math.PI) + 0.67,
    0.75 * Math.sin((x * 20.9 - 0.25) * Math.PI) + 0.33,
    -1.1 * Math.sin(x * 20.9 * Math.PI),
  ],
  pink: (x) => {
    // interpolated between 64 entries, as it was first tabulated
    const position = x * (PINK_ENTRIES - 1);
    const low = Math.min(PINK_ENTRIES - 2, Math.floor(position));
    const [a, b] = [pinkAt(low), pinkAt(low + 1)];
    const rest = position - low;
    const mix = (i: 0 | 1 | 2): number => a[i] + (b[i] - a[i]) * rest;
    return [mix(0), mix(1), mix(2)];
  },
  rainbow: (x) => [Math.abs(2 * x - 0.5), Math.sin(x * Math.PI), Math.cos((x * Math.PI) / 2)],
};

const PINK_ENTRIES = 64;

/** Root of two thirds grey and one third "hot", whose channels rise one after the other: in 24, 24 and 16 steps. */
function pinkAt(position: number): Rgb {
  const grey = position / (PINK_ENTRIES - 1);
  const mix = (from: number, steps: number): number =>
    Math.sqrt((2 * grey + Math.min(1, Math.max(0, (position + 1 - from) / steps))) / 3);
  return [mix(0, 24), mix(24, 24), mix(48, 16)];
}
