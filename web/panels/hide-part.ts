/** Hiding a part of the page without losing the focus: a keyboard goes on where the part was opened. */

/** Shows or hides `host`; if the focus is in what is hidden, it goes to the first of `next` that is there. */
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

/** The map itself, which takes arrow keys. */
export const findMapCanvas = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('.maplibregl-canvas');
