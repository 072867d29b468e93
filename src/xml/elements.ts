import { XmlElement } from '@rgrove/parse-xml';

export type { XmlElement };

/** A name without its namespace prefix: prefixes are the writer's choice, and those of products change. */
export const localName = ({ name }: { readonly name: string }): string => name.slice(name.indexOf(':') + 1);

/** The direct children of that name. */
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter(
    (child): child is XmlElement => child instanceof XmlElement && localName(child) === name,
  );

/** The first element at a path of names, `General_Info/Product_Info`; null when there is none. */
export function elementAt(element: XmlElement, path: string): XmlElement | null {
  let here: XmlElement | null = element;
  for (const name of path.split('/')) {
    if (here === null) return null;
    here = childrenOf(here, name)[0] ?? null;
  }
  return here;
}

/** The text of the first element at a path of names, trimmed; null when there is none or it is empty. */
export function textAt(element: XmlElement, path: string): string | null {
  const text = elementAt(element, path)?.text.trim();
  return text === undefined || text === '' ? null : text;
}

/**
 * All descendants of that name in document order, without those nested in another match: otherwise a search for lists in
 * polygons in features would find a list once per level of nesting.
 */
export function descendantsOf(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const pending: XmlElement[] = [element];
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    if (here !== element && localName(here) === name) {
      found.push(here);
      continue;
    }
    for (let i = here.children.length - 1; i >= 0; i--) {
      const child = here.children[i];
      if (child instanceof XmlElement) pending.push(child);
    }
  }
  return found;
}
