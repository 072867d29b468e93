/** Which language the page speaks. */
import { de } from './de.ts';
import type { Texts } from './en.ts';
import { en } from './en.ts';

const languages = { en, de } as const;

/** The code of a language of the page. */
export type Language = keyof typeof languages;

/** Every language with its own name for itself. */
export const LANGUAGES: readonly { readonly code: Language; readonly name: string }[] = Object.entries(
  languages,
).map(([code, texts]) => ({ code: code as Language, name: texts.language }));

/** The chosen language, or the first of the browser's that the page speaks, or English. */
export const planLanguage = (chosen: Language | null, preferred: readonly string[]): Language => {
  if (chosen !== null) return chosen;
  const spoken = preferred.map((tag) => tag.slice(0, 2).toLowerCase());
  return (
    LANGUAGES.map(({ code }) => code).find((code) => code === spoken.find((tag) => tag in languages)) ?? 'en'
  );
};

/** The texts of a language. */
export const chooseTexts = (language: Language): Texts => languages[language];
