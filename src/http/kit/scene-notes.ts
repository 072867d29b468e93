/** What an answer says in headers about the scene that it was made of. */

import { parseExpressions } from '../../bandmath/index.ts';
import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findDifferentGains, parseViewId, toExpressionNames } from '../../sensors/index.ts';
import type { Answer } from './answers.ts';

/** The header that names the scene that was used: Level-2A of Sentinel-2 may answer for Level-1C. */
const SCENE_HEADER = 'x-swath-scene';

/** Its documentation. */
export const sceneHeaders = {
  [SCENE_HEADER]:
    'The scene that was used: Level-2A of Sentinel-2 answers where Level-1C is not in the catalog.',
} as const;

/** Says in an answer which scene it was made of. */
export function nameScene(response: Answer, { viewId }: { readonly viewId: string }): Answer {
  response.headers.set(SCENE_HEADER, viewId);
  return response;
}

/** The header that says how an answer must be understood. */
const NOTE_HEADER = 'x-swath-note';

/** Its documentation. */
export const noteHeaders = {
  [NOTE_HEADER]:
    'Present if the expression computes with stored numbers of bands that have different gains; CALIBRATE=1 avoids it.',
} as const;

interface GainRequest {
  readonly sensor: Sensor;
  /** The scene; null if only the sensor is known. */
  readonly viewId: string | null;
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
}

/** Cached notes of each sensor: every tile of a map needs the one of its expression. */
const MAX_CACHED = 64;
const caches = new WeakMap<Sensor, Lru<string | null>>();

/** A sentence about an expression that mixes stored numbers of different gains; null if it does not. */
export function findGainNote({ sensor, viewId, bands }: GainRequest): string | null {
  const hasLevels = viewId !== null && sensor.layouts.some(({ calibration }) => calibration !== undefined);
  const level = hasLevels ? (parseViewId(viewId).parts.level ?? '') : '';
  const cache = caches.get(sensor) ?? makeLru({ max: MAX_CACHED });
  caches.set(sensor, cache);
  return cache.remember(`${level} ${bands}`, () => toNote(sensor, bands, level));
}

function toNote(sensor: Sensor, bands: string, level: string): string | null {
  const { inputs, outputs } = parseExpressions(bands, toExpressionNames(sensor));
  const mixed = outputs.flatMap(({ uses }) => {
    const stored = uses.flatMap((index) => inputs[index] ?? []).filter(({ calibrated }) => !calibrated);
    return findDifferentGains(
      sensor,
      stored.map(({ band }) => band),
      level,
    );
  });
  if (mixed.length === 0) return null;
  const names = [...new Set(mixed)];
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `The stored numbers of ${list} have different gains; CALIBRATE=1 computes with physical values.`;
}

/** Adds the note to an answer that was computed with stored numbers. */
export function noteGains(
  response: Answer,
  { calibrated, ...request }: GainRequest & { readonly calibrated: boolean },
): Answer {
  const note = calibrated ? null : findGainNote(request);
  if (note !== null) response.headers.set(NOTE_HEADER, note);
  return response;
}
