/** Settings: language, appearance, units, the key, the keyboard and help. */
import { THEMES, UNITS } from '../state/preferences.ts';
import { LANGUAGES } from '../texts/choose-texts.ts';
import { el } from './dom.ts';
import type { MakePanel } from './panel-context.ts';
import { makeRadios } from './radios.ts';
import { SHORTCUTS } from './shortcuts.ts';
import { makeSureChoice } from './sure-choice.ts';

/** Builds the panel. */
export const makeSettingsPanel: MakePanel = ({ store, actions, texts, preferences, setPreferences }) => {
  const words = texts.settings;
  const language = el(
    'select',
    { id: 'language' },
    el('option', { value: '' }, words.systemLanguage),
    ...LANGUAGES.map(({ code, name }) => el('option', { value: code, lang: code }, name)),
  );
  language.value = preferences.language ?? '';
  const sureLanguage = makeSureChoice(language, {
    label: words.apply,
    apply() {
      const chosen = LANGUAGES.find(({ code }) => code === language.value)?.code ?? null;
      setPreferences({ ...preferences, language: chosen });
    },
  });
  language.addEventListener('change', sureLanguage.onChange);
  let chosenTheme = preferences.theme;
  const theme = makeRadios({
    name: 'theme',
    legend: words.theme,
    choices: THEMES.map((value) => ({ value, title: words.themes[value] })),
    onChoose(value) {
      chosenTheme = THEMES.find((one) => one === value) ?? 'system';
      sureTheme.onChange();
    },
  });
  const sureTheme = makeSureChoice(theme.element, {
    label: words.apply,
    apply: () => setPreferences({ ...preferences, theme: chosenTheme }),
  });
  theme.element.append(sureTheme.button);
  theme.show(preferences.theme);
  let chosenUnits = preferences.units;
  const units = makeRadios({
    name: 'units',
    legend: words.units,
    choices: UNITS.map((value) => ({ value, title: words.unitNames[value] })),
    onChoose(value) {
      chosenUnits = UNITS.find((one) => one === value) ?? 'metric';
      sureUnits.onChange();
    },
  });
  const sureUnits = makeSureChoice(units.element, {
    label: words.apply,
    apply: () => setPreferences({ ...preferences, units: chosenUnits }),
  });
  units.element.append(sureUnits.button);
  units.show(preferences.units);

  const forget = el('button', { type: 'button', class: 'secondary' }, texts.key.change);
  forget.addEventListener('click', () => {
    actions.openPanel('find');
    actions.forgetKey();
  });
  const key = el(
    'section',
    {},
    el('h3', {}, words.key),
    el('p', { class: 'muted' }, texts.key.inUse),
    forget,
  );
  store.watch(
    ({ phase }) => phase.kind === 'needs-key',
    (isWithout) => {
      key.hidden = isWithout;
    },
  );
  const shortcuts = SHORTCUTS.flatMap(({ keys, text }) => [
    el('dt', {}, ...keys.map((name) => el('kbd', {}, name))),
    el('dd', {}, words.shortcutList[text]),
  ]);
  return el(
    'div',
    { class: 'settings' },
    el(
      'section',
      {},
      el('label', { for: 'language', class: 'heading' }, words.language),
      language,
      sureLanguage.button,
    ),
    theme.element,
    units.element,
    key,
    el('section', {}, el('h3', {}, words.shortcuts), el('dl', { class: 'shortcuts' }, ...shortcuts)),
    el(
      'section',
      {},
      el('h3', {}, words.help),
      el('p', { class: 'muted' }, words.helpText),
      el('a', { href: 'docs' }, texts.frame.apiDocs),
    ),
  );
};
