/** A remark of a key about a scene. */
export interface Note {
  readonly id: string;
  readonly text: string;
}

/** Where notes are stored. */
export interface NoteStore {
  /** Stores a note, or replaces the one of the same id; resolves when it is on disk. */
  put(note: Note): Promise<void>;
  find(id: string): Promise<Note | null>;
}
