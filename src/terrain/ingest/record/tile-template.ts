import type { Tile } from '../../../geo/index.ts';

/** Whether a path or address is a template of tiles. */
export const isTileTemplate = (text: string): boolean =>
  ['{z}', '{x}', '{y}'].every((name) => text.includes(name));

/** The path or address of one tile. */
export const toTileAddress = (template: string, { z, x, y }: Tile): string =>
  template.replaceAll('{z}', String(z)).replaceAll('{x}', String(x)).replaceAll('{y}', String(y));
