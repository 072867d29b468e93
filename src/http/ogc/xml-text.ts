import { escapeXml } from '../../xml/index.ts';

/** Characters that no XML document may hold, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text of an XML document: what people have typed can be anything. */
export const xmlText = (text: string): string => escapeXml(text.toWellFormed().replace(FORBIDDEN, '?'));
