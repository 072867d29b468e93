/** Names without what people leave out when they type: accents, case, hyphens and apostrophes. */

/** Letters that are not a base letter with a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ə: 'a',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** The form in which names and queries are compared. Lines stay lines. */
export const foldName = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/['’‘ʻʼʿ`´.]/g, '')
    .replaceAll(/[^\S\n]*[-‐–—/][^\S\n]*|[^\S\n]+/g, ' ');
