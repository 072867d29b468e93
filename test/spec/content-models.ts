/**
 * The schemas of OGC without Python: the children that each element may have, as regular expressions of their names. They
 * are made of the schemas by test/oracle/standards/ask-schemas.ts.
 */
import { readFileSync } from 'node:fs';
import type { XmlElement } from '../../src/xml/index.ts';
import { localName } from '../../src/xml/index.ts';

const models = JSON.parse(
  readFileSync(new URL('../golden/ogc/content-models.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;

const isElement = (child: object): child is XmlElement => 'attributes' in child;

/** What of a document its schema does not allow; nothing for a valid one. */
export function listMisplaced(schema: string, element: XmlElement, above = ''): readonly string[] {
  const children = element.children.filter(isElement);
  const name = localName(element);
  const model = models[`${schema} ${above}/${name}`];
  const names = children.map((child) => `${localName(child)} `).join('');
  const own =
    model === undefined ? children.length === 0 && above !== '' : new RegExp(`^${model}$`).test(names);
  return [
    ...(own ? [] : [`${above}/${name} has ${names}`]),
    ...children.flatMap((child) => listMisplaced(schema, child, name)),
  ];
}
