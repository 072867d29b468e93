import { hash } from 'node:crypto';
import type { DemFile } from './dem.ts';

/** The id of a file in the store: the same address in another model or overview mosaic is another file. */
export const toDemFileId = ({ dem, overview, href }: Pick<DemFile, 'dem' | 'overview' | 'href'>): string =>
  hash('sha256', [dem, overview, href].join('\n'), 'hex').slice(0, 32);
