/** What the panel shows of a map that was shared by a link: its name, until when, and where to go from here. */
import type { FunctionComponent } from 'preact';
import { Button } from '../panels/kit/controls.tsx';
import { usePanel, usePart } from '../panels/kit/panel.tsx';
import { formatTime } from '../texts/format.ts';
import type { SharedMap } from './shared-map.ts';

/** The page without the link, which asks for a key. */
const leave = (): void => {
  history.replaceState(null, '', location.pathname);
  location.reload();
};

/** Whom to ask for a key; an e-mail address and a web address can be followed. */
export const Contact: FunctionComponent = () => {
  const { texts } = usePanel();
  const contact = usePart((state) => state.about?.contact ?? null);
  if (contact === null) return null;
  const href = /^[^\s@]+@[^\s@]+$/.test(contact)
    ? `mailto:${contact}`
    : /^https:\/\/\S+$/.test(contact)
      ? contact
      : null;
  return (
    <p class="contact">
      {texts.shared.ask}{' '}
      {href === null ? (
        <strong>{contact}</strong>
      ) : (
        <a href={href} rel="noreferrer">
          {contact}
        </a>
      )}
    </p>
  );
};

/** The card. */
export const SharedCard: FunctionComponent<{ readonly map: SharedMap }> = ({ map }) => {
  const { texts } = usePanel();
  const words = texts.shared;
  return (
    <div class="state shared-card">
      <h3>{map.name}</h3>
      <p class="muted">{words.readOnly}</p>
      {map.expires !== null && <p class="muted">{words.until(formatTime(map.expires, texts.locale))}</p>}
      {map.attribution !== null && <p class="muted small">{map.attribution}</p>}
      <Contact />
      <Button look="secondary" onClick={leave}>
        {words.withKey}
      </Button>
    </div>
  );
};

/** What stands in its place when the link shows nothing any more. */
export const NotShared: FunctionComponent<{ readonly text: string }> = ({ text }) => {
  const { texts } = usePanel();
  return (
    <div class="state">
      <h3>{texts.shared.notThere}</h3>
      <p role="alert">{text}</p>
      <Contact />
      <Button look="primary" onClick={leave}>
        {texts.shared.withKey}
      </Button>
    </div>
  );
};
