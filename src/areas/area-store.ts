import type { Area } from './parse-area.ts';

/** An area on its way into the store. */
export interface NewArea extends Area {
  /** The name it gets unless the same one is known already. */
  readonly ref: string;
  /** Of the feature and of who keeps it: areas with equal digests are one area. */
  readonly digest: string;
}

/** Where areas are kept. They never change: the first one with a digest stays. */
export interface AreaStore {
  /**
   * Keeps the area, unless one with this digest is kept already; resolves to the ref of the one that is, when it has
   * reached the disk. Of many at once with the same digest all get the same ref.
   */
  put(area: NewArea): Promise<string>;
  find(ref: string): Promise<Area | null>;
}
