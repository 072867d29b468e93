/** Waits until a person has left the page alone for a moment: work that nobody asked for must not delay what they do. */

const QUIET_MS = 1000;
/** What a person does; a pointer that only moves asks for nothing. */
const DEEDS = ['pointerdown', 'mousedown', 'click', 'wheel', 'keydown'] as const;

/** Resolves when nothing was clicked, typed or turned for a second. */
export const whenQuiet = (): Promise<void> =>
  new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, QUIET_MS);
    };
    const end = (): void => {
      for (const deed of DEEDS) removeEventListener(deed, wait, true);
      resolve();
    };
    for (const deed of DEEDS) addEventListener(deed, wait, { capture: true, passive: true });
    wait();
  });
