/** One thing at a time: a new one cancels what it overtakes. */

/** Starts things, each with a signal that is used when the next one starts. */
export interface Latest {
  /** Cancels the one before. */
  start(): AbortSignal;
  cancel(): void;
}

/** Builds it. */
export const makeLatest = (): Latest => {
  let controller: AbortController | null = null;
  return {
    start() {
      controller?.abort();
      controller = new AbortController();
      return controller.signal;
    },
    cancel: () => controller?.abort(),
  };
};
