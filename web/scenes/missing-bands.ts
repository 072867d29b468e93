/** Which band choices turned out to have no files, scene by scene; forgotten with the page. */

/** The memory. */
export interface MissingBands {
  add(viewId: string, bands: string): void;
  of(viewId: string): ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** An empty memory. */
export const makeMissingBands = (): MissingBands => {
  const byScene = new Map<string, Set<string>>();
  return {
    add(viewId, bands) {
      const missing = byScene.get(viewId) ?? new Set();
      byScene.set(viewId, missing.add(bands));
    },
    of: (viewId) => byScene.get(viewId) ?? NONE,
  };
};
