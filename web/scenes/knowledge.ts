/** What the viewer has to know before it can offer choices; the server says all of it. */
import type { Origins } from './origins.ts';
import { asRecord, asText, isTexts } from './read-json.ts';
import type { ViewerSensor } from './sensor.ts';

/** A colormap with colours to preview it by. */
export interface ViewerColormap {
  readonly name: string;
  readonly isDiscrete: boolean;
  readonly colors: readonly string[];
}

/** Sensors, colormaps, the names of the functions of band math, and where scenes come from. */
export interface Knowledge {
  readonly sensors: readonly ViewerSensor[];
  readonly colormaps: readonly ViewerColormap[];
  readonly functions: readonly string[];
  readonly origins: Origins;
}

const COLOR = /^#[0-9a-f]{6}$/i;

/** Reads `{colormaps: […]}`; one that cannot be read is left out. */
export const parseColormaps = (body: unknown): readonly ViewerColormap[] => {
  const { colormaps } = asRecord(body);
  if (!Array.isArray(colormaps)) return [];
  return colormaps.flatMap((value: unknown) => {
    const { name, type, colors } = asRecord(value);
    const known = asText(name);
    if (known === null || !isTexts(colors) || !colors.every((color) => COLOR.test(color))) return [];
    return [{ name: known, isDiscrete: type === 'discrete', colors }];
  });
};

/** Reads `{functions: [{name}]}`. */
export const parseFunctions = (body: unknown): readonly string[] => {
  const { functions } = asRecord(body);
  if (!Array.isArray(functions)) return [];
  return functions.map((value: unknown) => asText(asRecord(value).name)).filter((name) => name !== null);
};
