/**
 * Where syncs write down how far they are: texts by the id of the sync and a name, so that a run on any node continues what
 * another one has begun.
 */
export interface SyncNoteStore {
  /** Resolves to the text as it was written; null if there is none. */
  read(sync: string, name: string): Promise<string | null>;
  /** Replaces the text of this name; resolves when it is durable. */
  write(sync: string, name: string, text: string): Promise<void>;
}
