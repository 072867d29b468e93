import { createHash } from 'node:crypto';
import type { DemFile } from './dem.ts';

/** The id of a file in the store: the same address in another model or overview mosaic is another file. */
export const toDemFileId = ({ dem, overview, href }: Pick<DemFile, 'dem' | 'overview' | 'href'>): string =>
  createHash('sha256').update([dem, overview, href].join('\n')).digest('hex').slice(0, 32);
