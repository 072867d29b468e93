/** Secrets of the service itself, which all nodes share. */
export interface SecretStore {
  /**
   * The secret of that name. Where there is none, `fresh` is stored and becomes it, on disk when this resolves; of several
   * callers at once, also on several nodes, one wins and all get the same.
   */
  obtain(name: string, fresh: string): Promise<string>;
}
