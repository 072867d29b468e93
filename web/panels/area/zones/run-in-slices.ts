/** Runs work that comes in slices to its end, and lets the page draw and answer between the slices. */
export const runInSlices = async <Answer>(
  work: Generator<void, Answer>,
  pause: () => Promise<void>,
): Promise<Answer> => {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await pause();
  }
};
