import { makeIsAllowedHref } from '../ingest/index.ts';
import { notAllowed } from './errors.ts';
import type { LiveCatalog } from './live-catalog.ts';

/** What items of a catalog may refer to: files at addresses that its sources name, and none of this machine. */
export const toItemRules = ({ sources }: Pick<LiveCatalog, 'sources'>, dataDir: string) => ({
  isAllowedHref: makeIsAllowedHref({ dataDir, folders: [], network: sources }),
  toHref(): never {
    throw notAllowed('local-file', 'Items of a live catalog may not refer to files of this machine.');
  },
});
