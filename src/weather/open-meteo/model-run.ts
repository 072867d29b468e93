import { DAY_MS } from '../../units.ts';

/**
 * Folders of the models of `models=` whose forecasts come from one model alone, below `/data/` of a server
 * (https://open-meteo.com/en/docs/model-updates). Combined models have no run of their own.
 */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['ecmwf_ifs025', 'ecmwf_ifs025'],
  ['ecmwf_aifs025_single', 'ecmwf_aifs025_single'],
  ['icon_global', 'dwd_icon'],
  ['icon_eu', 'dwd_icon_eu'],
  ['icon_d2', 'dwd_icon_d2'],
]);

/** Runs are some hours old; one that is older than this is no run of now. */
const MAX_AGE_MS = 3 * DAY_MS;

/** Path of the file that says when the last run of a model began; null if a model has none. */
export function toRunPath(model: string | null): string | null {
  const folder = model === null ? undefined : FOLDERS.get(model);
  return folder === undefined ? null : `/data/${folder}/static/meta.json`;
}

/** Reads when the last run began; null if the answer does not say so. */
export function parseRunMs(answer: unknown, nowMs: number): number | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const seconds = 'last_run_initialisation_time' in answer ? answer.last_run_initialisation_time : null;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return null;
  const runMs = seconds * 1_000;
  return runMs <= nowMs && runMs > nowMs - MAX_AGE_MS ? runMs : null;
}
