/**
 * Writes fields of a tile as a service would read them from its database, a page of JSON on each line:
 * the arguments are PATH COUNT SIZE_PX. A process of its own, so that the heap of the engine that is measured
 * does not hold them.
 */
import { writeFileSync } from 'node:fs';
import { makeFields, toShape } from './make-tile.ts';

/** Fields of a page, as the store gives them. */
const PAGE = 500;

const [path = '', count = '', sizePx = ''] = process.argv.slice(2);
const fields = makeFields(Number(count), Number(sizePx));
const lines: string[] = [];
for (let from = 0; from < fields.length; from += PAGE)
  lines.push(JSON.stringify(fields.slice(from, from + PAGE).map(toShape)));
writeFileSync(path, lines.join('\n'));
