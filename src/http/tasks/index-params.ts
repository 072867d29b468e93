import { badInput } from '../../errors.ts';
import type { IndexOrder } from '../../exports/index.ts';
import type { Params } from '../request/params.ts';
import { readText, readTexts } from '../request/params.ts';
import { readScene } from './scene-params.ts';

/** Expressions of one order; docs/operate.md, "Limits". */
const MAX_EXPRESSIONS = 10;
const MAX_ALIAS = 200;

/** Reads `bm_type`: an expression, several with commas between them, or a list of them. */
export function readExpressions(params: Params): string {
  const { bm_type: value } = params;
  // Commas inside of an expression belong to it, so a text is not split here.
  const text =
    typeof value === 'string' ? value : (readTexts(params, 'bm_type', MAX_EXPRESSIONS) ?? []).join();
  if (text.trim() === '') throw badInput('bad-bm-type', 'bm_type is required, and must be an expression.');
  if (text.length > 2_048) throw badInput('bad-bm-type', 'bm_type must have at most 2048 characters.');
  return text;
}

/** Reads `name_alias`. */
export const readAlias = (params: Params): string | null => readText(params, 'name_alias', MAX_ALIAS) || null;

/** Reads the params of type `bandmath`, except for the area. */
export function readIndexParams(params: Params): Omit<IndexOrder, 'area'> {
  const { viewId, sceneName, sensor } = readScene(params);
  return {
    viewId,
    sceneName,
    sensor: sensor.abbreviation,
    expressions: readExpressions(params),
    nameAlias: readAlias(params),
  };
}
