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

/** A custom property of the page as a colour for a canvas, which knows no `light-dark()`: an element's is computed. */
export const readColor = (name: string): string => {
  const probe = document.createElement('span');
  probe.hidden = true;
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};
