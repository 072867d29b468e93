/** How often the callback secret of each key was rotated. The secrets themselves are stored nowhere. */
export interface RotationStore {
  /** 0 for a key whose secret was never rotated, or that is unknown. */
  count(keyId: string): Promise<number>;
  /** Counts one more and gives the new count, on disk when this resolves. */
  add(keyId: string): Promise<number>;
}
