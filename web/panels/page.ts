/** The page's own HTML, in which components are mounted: finding its parts, and hiding one without losing the focus. */

/** An element of the page's own HTML, which must be there. */
export const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element with the id "${id}".`);
  return element;
};

/** The map itself, which takes arrow keys. */
export const findMapCanvas = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('.maplibregl-canvas');

/**
 * Shows or hides `host`; if the focus is in what is hidden, it moves to the first of `next` that is visible, so that a
 * keyboard goes on where the part was opened.
 */
export const hidePart = (
  host: HTMLElement,
  isHidden: boolean,
  next: () => readonly (HTMLElement | null)[],
): void => {
  const hadFocus = isHidden && !host.hidden && host.contains(document.activeElement);
  host.hidden = isHidden;
  if (!hadFocus) return;
  // `checkVisibility` is false for what lies in a closed panel.
  next()
    .find((element) => element?.isConnected === true && element.checkVisibility())
    ?.focus();
};
