/** Settings: language, appearance, units, the key, the keyboard and help. */
import type { FunctionComponent } from 'preact';
import type { Preferences } from '../../state/preferences.ts';
import { THEMES, UNITS } from '../../state/preferences.ts';
import type { Language } from '../../texts/choose-texts.ts';
import { LANGUAGES, loadLaterTexts } from '../../texts/choose-texts.ts';
import { Button, Segments, Select, Switch } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Section } from '../kit/parts.tsx';
import { lazyPanel } from '../lazy-panel.tsx';
import { SHORTCUTS } from '../shortcuts.ts';
import { SureChoice } from './sure-choice.tsx';

const LanguageChoice: FunctionComponent = () => {
  const { texts, preferences, setPreferences } = usePanel();
  const words = texts.settings;
  const choices: readonly { value: Language | ''; title: string; lang?: string }[] = [
    { value: '', title: words.systemLanguage },
    ...LANGUAGES.map(({ code, name }) => ({ value: code, title: name, lang: code })),
  ];
  return (
    <section>
      <label for="language" class="heading">
        {words.language}
      </label>
      <SureChoice<Language | ''>
        value={preferences.language ?? ''}
        label={words.apply}
        apply={(language) => setPreferences({ ...preferences, language: language === '' ? null : language })}
      >
        {(value, onChoose, apply) => (
          <>
            <Select id="language" choices={choices} value={value} onChoose={onChoose} />
            {apply}
          </>
        )}
      </SureChoice>
    </section>
  );
};

interface PreferenceProps<Name extends 'theme' | 'units'> {
  readonly name: Name;
  readonly legend: string;
  readonly values: readonly Preferences[Name][];
  readonly titles: Readonly<Record<Preferences[Name], string>>;
}

/** A preference with few values. */
const PreferenceChoice = <Name extends 'theme' | 'units'>({
  name,
  legend,
  values,
  titles,
}: PreferenceProps<Name>) => {
  const { texts, preferences, setPreferences } = usePanel();
  return (
    <SureChoice<Preferences[Name]>
      value={preferences[name]}
      label={texts.settings.apply}
      apply={(value) => setPreferences({ ...preferences, [name]: value })}
    >
      {(value, onChoose, apply) => (
        <Segments
          name={name}
          legend={legend}
          choices={values.map((one) => ({ value: one, title: titles[one] }))}
          value={value}
          onChoose={onChoose}
        >
          {apply}
        </Segments>
      )}
    </SureChoice>
  );
};

/** What people and keys may do and use; loaded with its words. */
const Account = lazyPanel(async () =>
  (await import('../account/account-section.tsx')).loadAccount(loadLaterTexts),
);

const AccountPart: FunctionComponent = () => {
  const isWithoutKey = usePart(({ phase }) => phase.kind === 'needs-key');
  return isWithoutKey ? null : <Account />;
};

/** The key in use; there is nothing to change while the page asks for one. */
const KeySection: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  // People who have signed in have none, and sign out instead.
  const isWithoutKey = usePart(({ phase, isSignedIn }) => phase.kind === 'needs-key' || isSignedIn);
  if (isWithoutKey) return null;
  const forget = (): void => {
    actions.openPanel('find');
    actions.forgetKey();
  };
  return (
    <Section title={texts.settings.key}>
      <p class="muted">{texts.key.inUse}</p>
      <Button onClick={forget}>{texts.key.change}</Button>
    </Section>
  );
};

const Keyboard: FunctionComponent = () => {
  const words = usePanel().texts.settings;
  return (
    // Focused by the key that shows them.
    <section id="keyboard" tabIndex={-1} aria-label={words.shortcuts}>
      <h3>{words.shortcuts}</h3>
      <dl class="shortcuts">
        {SHORTCUTS.flatMap(({ keys, text }) => [
          <dt key={text}>
            {keys.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>,
          <dd key={`${text} means`}>{words.shortcutList[text]}</dd>,
        ])}
      </dl>
    </section>
  );
};

/** The panel. */
export const Settings: FunctionComponent = () => {
  const { texts, preferences, setPreferences } = usePanel();
  const words = texts.settings;
  return (
    <div class="settings">
      <LanguageChoice />
      <PreferenceChoice name="theme" legend={words.theme} values={THEMES} titles={words.themes} />
      <PreferenceChoice name="units" legend={words.units} values={UNITS} titles={words.unitNames} />
      <KeySection />
      <AccountPart />
      <Keyboard />
      <Section title={words.developer}>
        <Switch
          isOn={preferences.hasTimings}
          onSwitch={(hasTimings) => setPreferences({ ...preferences, hasTimings })}
        >
          {words.timings}
        </Switch>
      </Section>
      <Section title={words.help}>
        <p class="muted">{words.helpText}</p>
        <a href="docs">{texts.frame.apiDocs}</a>
      </Section>
    </div>
  );
};
