import type { OpenSource } from '../sources/index.ts';

/**
 * Opens files whose closing waits for nothing: headers go to disk at the pace of a cache, fifty a second, and scenes of a
 * catalog whose items do not state their images have a dozen each.
 */
export const openUnwatched =
  (open: OpenSource): OpenSource =>
  async (...words) => {
    const source = await open(...words);
    return { ...source, close: async () => void source.close().catch(() => {}) };
  };
