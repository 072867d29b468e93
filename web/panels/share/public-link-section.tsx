/** Links that work without a key: a form that makes one, and the list of those that work, each of which can be ended. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { toHome } from '../../scenes/tile-template.ts';
import { toSharedLink } from '../../shared/shared-map.ts';
import type { MapView } from '../../state/map-view.ts';
import { formatTime } from '../../texts/format.ts';
import { Button, FieldRow, Select } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice, Section } from '../kit/parts.tsx';
import type { PublicLink } from './public-links.ts';
import {
  DURATIONS_DAYS,
  endPublicLink,
  listPublicLinks,
  makePublicLink,
  toRecipeBody,
} from './public-links.ts';

interface LinkProps {
  readonly link: PublicLink;
  readonly view: MapView | null;
  readonly onEnd: () => void;
}

const LinkItem: FunctionComponent<LinkProps> = ({ link, view, onEnd }) => {
  const { actions, texts } = usePanel();
  const { share, shared } = texts;
  const copy = async (): Promise<void> => {
    const text = toSharedLink(toHome(location.href), link.token, view);
    try {
      await navigator.clipboard.writeText(text);
      actions.report.showDone(share.copied(link.name));
    } catch {
      // The clipboard needs https or localhost, and permission.
      actions.report.showError(share.publicLinks.address(text));
    }
  };
  return (
    <li class="public-link">
      <div>
        <strong>{link.name}</strong>
        <p class="muted small">
          {link.expires === null
            ? share.publicLinks.noEnd
            : shared.until(formatTime(link.expires, texts.locale))}
        </p>
      </div>
      <Button look="link" icon="copy" label={share.copyOf(link.name)} onClick={() => void copy()}>
        {share.copy}
      </Button>
      <Button look="link" label={share.publicLinks.endOf(link.name)} onClick={onEnd}>
        {share.publicLinks.end}
      </Button>
    </li>
  );
};

interface SectionProps {
  readonly viewId: string;
  /** Of the tiles on the map. */
  readonly template: string;
  readonly view: MapView | null;
  /** What the picture is called. */
  readonly title: string;
}

/** Whose answer comes when the panel is long closed changes nothing. */
export const PublicLinkSection: FunctionComponent<SectionProps> = ({ viewId, template, view, title }) => {
  const { api, texts } = usePanel();
  const words = texts.share.publicLinks;
  const days = useSignal('7');
  const name = useSignal<string | null>(null);
  const links = useSignal<readonly PublicLink[]>([]);
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);

  const run = async (work: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    failure.value = null;
    try {
      await work();
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    }
    isBusy.value = false;
  };
  const refresh = async (): Promise<void> => {
    links.value = await listPublicLinks(api, new Date());
  };
  useEffect(() => void run(refresh), []);
  const make = () =>
    run(async () => {
      const chosen = DURATIONS_DAYS.find((one) => String(one ?? '') === days.value) ?? null;
      const body = toRecipeBody(template, viewId, {
        name: (name.value ?? title).trim().slice(0, 200) || title,
        days: chosen,
        now: new Date(),
      });
      const link = await makePublicLink(api, body);
      if (link === null) failure.value = texts.failures.unknownForm;
      await refresh();
    });
  const end = (link: PublicLink) =>
    run(async () => {
      await endPublicLink(api, link);
      await refresh();
    });

  return (
    <Section title={words.title} class="public-links">
      <p class="muted small">{words.hint}</p>
      <FieldRow label={words.name}>
        {(id) => (
          <input
            id={id}
            type="text"
            maxLength={200}
            value={name.value ?? title}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        )}
      </FieldRow>
      <FieldRow label={words.works}>
        {(id) => (
          <Select
            id={id}
            value={days.value}
            choices={DURATIONS_DAYS.map((one) => ({
              value: String(one ?? ''),
              title: one === null ? words.noEnd : words.days(one),
            }))}
            onChoose={(value) => {
              days.value = value;
            }}
          />
        )}
      </FieldRow>
      <Button look="primary" isDisabled={isBusy.value} onClick={() => void make()}>
        {words.make}
      </Button>
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
      {links.value.length > 0 && (
        <ul aria-label={words.list}>
          {links.value.map((link) => (
            <LinkItem key={link.id} link={link} view={view} onEnd={() => void end(link)} />
          ))}
        </ul>
      )}
    </Section>
  );
};
