/** One value that everything on the page follows. */

/** Holds a state, changes it whole, and tells those who watch a part of it. */
export interface Store<State> {
  read(): State;
  /** Replaces the state; listeners whose part changed are told before this returns. */
  update(change: (state: State) => State): void;
  /**
   * Calls `listener` at once and whenever what `select` takes of the state is another value (`Object.is`). The answer stops it.
   */
  watch<Part>(select: (state: State) => Part, listener: (part: Part, state: State) => void): () => void;
}

/** A store with a first state. */
export const makeStore = <State>(initial: State): Store<State> => {
  let state = initial;
  const watchers = new Set<() => void>();
  return {
    read: () => state,
    update(change) {
      const next = change(state);
      if (Object.is(next, state)) return;
      state = next;
      // A copy: a listener may stop itself or others.
      for (const check of [...watchers]) if (watchers.has(check)) check();
    },
    watch(select, listener) {
      let part = select(state);
      const check = (): void => {
        const next = select(state);
        if (Object.is(next, part)) return;
        part = next;
        listener(next, state);
      };
      watchers.add(check);
      listener(part, state);
      return () => void watchers.delete(check);
    },
  };
};
