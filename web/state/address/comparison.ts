/** Two scenes: `compare=swipe&left.scene=…&left.bands=NDVI&right.scene=…&split=30`. */
import type { ComparisonAddress, SideAddress } from '../comparison.ts';
import { COMPARE_MODES } from '../comparison.ts';
import { BANDS, DATASET, escapeMath, parsePercent, SCENE_ID, takeIf, VALUE } from './forms.ts';
import { parsePicture, toPictureParts } from './picture.ts';

const parseSide = (parts: URLSearchParams, prefix: string): SideAddress | null => {
  const sceneId = takeIf(parts.get(`${prefix}scene`), SCENE_ID);
  if (sceneId === null) return null;
  const dataset = takeIf(parts.get(`${prefix}dataset`), DATASET);
  return { sceneId, dataset, picture: parsePicture(parts, prefix) };
};

/** Reads two scenes and how they are compared; `null` if one is missing. */
export const parseComparison = (parts: URLSearchParams): ComparisonAddress | null => {
  const mode = COMPARE_MODES.find((name) => name === parts.get('compare'));
  const [left, right] = [parseSide(parts, 'left.'), parseSide(parts, 'right.')];
  if (mode === undefined || left === null || right === null) return null;
  const limit = Number(takeIf(parts.get('limit'), VALUE));
  return {
    mode,
    left,
    right,
    split: (parsePercent(parts.get('split')) ?? 50) / 100,
    measure: takeIf(parts.get('measure'), BANDS),
    limit: limit > 0 ? limit : null,
  };
};

const toSideParts = ({ sceneId, dataset, picture }: SideAddress, prefix: string): string[] =>
  [
    `scene=${sceneId}`,
    ...(dataset === null ? [] : [`dataset=${dataset}`]),
    // The clip is that of the page.
    ...toPictureParts({ ...picture, clip: null }),
  ].map((part) => prefix + part);

/** Writes it. */
export const toComparisonParts = (comparison: ComparisonAddress): string[] => {
  const { mode, left, right, split, measure, limit } = comparison;
  const parts = [`compare=${mode}`, ...toSideParts(left, 'left.'), ...toSideParts(right, 'right.')];
  const percent = Math.round(split * 100);
  if (percent !== 50) parts.push(`split=${percent}`);
  if (measure !== null) parts.push(`measure=${escapeMath(measure)}`);
  if (limit !== null) parts.push(`limit=${limit}`);
  return parts;
};
