/** Lists whose items stay: what is moved or taken out and in again loses its focus. */

/** Makes `elements` the children of a list; only those that are new, gone or moved are touched. */
export const putInOrder = (list: Element, elements: readonly Element[]): void => {
  const wanted = new Set(elements);
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove();
  for (const [i, element] of elements.entries()) {
    if (list.children[i] !== element) list.insertBefore(element, list.children[i] ?? null);
  }
};
