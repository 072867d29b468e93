/** Calls `work` after each period; returns the function that stops it. Tests pass one that they drive by hand. */
export type Repeat = (work: () => void, everyMs: number) => () => void;

/** Repeats by a timer that does not keep the process alive. */
export const repeatByTimer: Repeat = (work, everyMs) => {
  const timer = setInterval(work, everyMs).unref();
  return () => clearInterval(timer);
};
