/** Which language the page speaks, and its texts: English is always there, the others are loaded when they are chosen. */
import type { Texts } from './en.ts';
import { en, english } from './en.ts';
import type { TextsOf } from './messages.ts';
import { toTexts } from './messages.ts';

const loaders = {
  en: null,
  de: async (): Promise<object> => (await import('./de.ts')).german,
  fr: async (): Promise<object> => (await import('./fr.json', { with: { type: 'json' } })).default,
  es: async (): Promise<object> => (await import('./es.json', { with: { type: 'json' } })).default,
  pt: async (): Promise<object> => (await import('./pt.json', { with: { type: 'json' } })).default,
  uk: async (): Promise<object> => (await import('./uk.json', { with: { type: 'json' } })).default,
} as const;

/** The code of a language of the page. */
export type Language = keyof typeof loaders;

/** Every language with its own name for itself. */
export const LANGUAGES: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
  { code: 'es', name: 'Español' },
  { code: 'fr', name: 'Français' },
  { code: 'pt', name: 'Português' },
  { code: 'uk', name: 'Українська' },
];

/** The chosen language, or the first of the browser's that the page speaks, or English. */
export const planLanguage = (chosen: Language | null, preferred: readonly string[]): Language => {
  if (chosen !== null) return chosen;
  const spoken = preferred.map((tag) => tag.slice(0, 2).toLowerCase());
  const found = spoken.find((tag) => LANGUAGES.some(({ code }) => code === tag));
  return LANGUAGES.find(({ code }) => code === found)?.code ?? 'en';
};

/** The messages of a language other than English. */
export const loadMessages = async (language: Exclude<Language, 'en'>): Promise<object> => loaders[language]();

/** The texts of a language; English ones if its file cannot be loaded, because a page without words is of no use. */
export const loadTexts = async (language: Language): Promise<Texts> => {
  if (language === 'en') return en;
  try {
    return toTexts(english, await loadMessages(language));
  } catch (error) {
    console.error(error);
    return en;
  }
};

/**
 * The texts of a part of the page that is loaded later: its English messages come with the part, so that a first visit
 * does without them; those of another language are a group of its file.
 */
export const loadLaterTexts = async <const Source extends object>(
  name: string,
  source: Source,
  language: Language,
): Promise<TextsOf<Source>> => {
  // Loaded before: the page speaks this language.
  const messages = language === 'en' ? english : await loadMessages(language).catch(() => english);
  const { locale, [name]: group } = messages as unknown as Readonly<Record<string, object>>;
  return toTexts({ locale: english.locale, ...source }, { ...group, locale }) as TextsOf<Source>;
};

/** Loads them. */
export type LoadLaterTexts = typeof loadLaterTexts;
