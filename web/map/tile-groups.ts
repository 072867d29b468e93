/**
 * Hands tiles to the map in groups. The map draws a frame for each tile that comes alone: the fifteen tiles of a scene were
 * seven frames, and where the processor draws them, it does so in place of the tiles that are still to come.
 */

/** A tile waits for others no longer than this; a person takes two frames in this time for one. */
const GROUP_MS = 100;

/** Runs a request; its answer comes with those of the other requests in flight. */
export type InGroups = <T>(load: () => Promise<T>) => Promise<T>;

/** Makes groups, except while `mayGroup` says no: a map that moves draws frames anyway, and many tiles make one of them late. */
export const makeTileGroups = (mayGroup: () => boolean): InGroups => {
  let inFlight = 0;
  let waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const group = waiting;
    waiting = [];
    for (const resolve of group) resolve();
  };
  return async (load) => {
    inFlight++;
    try {
      return await load();
    } finally {
      inFlight--;
      if (inFlight === 0 || !mayGroup()) release();
      else {
        timer ??= setTimeout(release, GROUP_MS);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    }
  };
};
