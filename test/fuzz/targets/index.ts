import type { FuzzTarget } from '../target.ts';
import { auxXml, worldFile } from './beside-files.ts';
import { jp2 } from './jp2.ts';
import { projection } from './projection.ts';
import { bands, query, renderPath, search } from './requests.ts';
import { tiff } from './tiff.ts';
import { tiffCodecs } from './tiff-codecs.ts';

/** Every parser that reads what we did not write. */
export const targets: readonly FuzzTarget[] = [
  tiff,
  tiffCodecs,
  jp2,
  worldFile,
  auxXml,
  projection,
  renderPath,
  query,
  search,
  bands,
];

/** The target of a name. */
export function targetByName(name: string): FuzzTarget {
  const target = targets.find((one) => one.name === name);
  if (target === undefined) {
    throw new Error(`There is no target ${name}; there are ${targets.map((one) => one.name).join(', ')}.`);
  }
  return target;
}
