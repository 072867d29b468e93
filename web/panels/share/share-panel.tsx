/** Share: a link to this page, and the picture as text for other programs. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { getVersion } from 'maplibre-gl';
import type { FunctionComponent } from 'preact';
import { useRef } from 'preact/hooks';
import { openPicture } from '../../report/open-report.ts';
import { toBox } from '../../scenes/footprint.ts';
import { bandsOfPicture } from '../../scenes/picture.ts';
import { titleOfShown } from '../../scenes/titles.ts';
import { dayOfClearView } from '../../state/clear-view.ts';
import { clearLayerOnMap, templateOnMap } from '../../state/on-map.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import type { Texts } from '../../texts/en.ts';
import { formatDate } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Empty, Section } from '../kit/parts.tsx';
import { PublicLinkSection } from './public-link-section.tsx';
import type { Program, Shared } from './snippets.ts';
import { KEY_VARIABLE, KEY_WORD, PROGRAMS, toSnippet } from './snippets.ts';

const toShared = (state: ViewerState, texts: Texts): Shared | null => {
  const { shown, picture, view, bounds } = state;
  const template = templateOnMap(state);
  if (shown === null || template === null) return null;
  const { sensor, outline } = shown;
  const date = state.clearView === null ? shown.date : (dayOfClearView(state) ?? shown.date);
  const box = toBox(outline);
  const [west, south, east, north] = box;
  return {
    template,
    title: `${titleOfShown(sensor, bandsOfPicture(sensor, picture), texts)}, ${formatDate(date, texts.locale)}`,
    maxZoom: clearLayerOnMap(state)?.maxZoom ?? sensor.maxZoom,
    view: view ?? { zoom: 9, lat: (south + north) / 2, lon: (west + east) / 2 },
    bounds: bounds ?? box,
    maplibreVersion: getVersion(),
  };
};

interface SnippetProps {
  readonly name: Program | 'link';
  readonly text: string;
}

/** A text with a button that copies it. */
const Snippet: FunctionComponent<SnippetProps> = ({ name, text }) => {
  const {
    actions,
    texts: { share },
  } = usePanel();
  const { title, hint } = share.snippets[name];
  const code = useRef<HTMLElement>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      actions.report.showDone(share.copied(title));
    } catch {
      // The clipboard needs https or localhost, and permission.
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      actions.report.showError(share.notCopied);
    }
  };
  const button = (
    <Button look="link" icon="copy" label={share.copyOf(title)} onClick={() => void copy()}>
      {share.copy}
    </Button>
  );
  return (
    <Section class="snippet" title={title} aside={button}>
      <p class="muted small">{hint}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a section keeps no spaces. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and keys have to reach them. */}
      <pre tabIndex={0} role="region" aria-label={title}>
        <code id={`share-${name}`} ref={code}>
          {text}
        </code>
      </pre>
    </Section>
  );
};

/** The address of this page without a key, whatever was typed into it. */
const toLink = (href: string): string => {
  const link = new URL(href);
  link.search = '';
  return link.href;
};

const Link: FunctionComponent = () => {
  const { state } = usePanel();
  const link = useSignal(toLink(location.href));
  useSignalEffect(() => {
    if (state.value.panel !== 'share') return;
    // After the address bar, which follows the same change.
    queueMicrotask(() => {
      link.value = toLink(location.href);
    });
  });
  return <Snippet name="link" text={link.value} />;
};

const PictureSection: FunctionComponent = () => {
  const context = usePanel();
  const { report } = context.texts;
  return (
    <Section title={report.picture} class="share-picture">
      <p class="muted small">{report.pictureHint}</p>
      <Button icon="save" onClick={() => openPicture(context)}>
        {report.picture}…
      </Button>
    </Section>
  );
};

/** The panel. */
export const Share: FunctionComponent = () => {
  const { texts } = usePanel();
  const { share } = texts;
  // Nothing is written anew while the panel is closed.
  const state = usePart((whole) => (whole.panel === 'share' ? whole : null));
  const shared = useRef<Shared | null>(null);
  if (state !== null) shared.current = toShared(state, texts);
  const { current } = shared;
  if (current === null) return <Empty text={share.nothing} />;
  return (
    <div class="share">
      <Link />
      <PictureSection />
      {state !== null && state.shown !== null && (
        <PublicLinkSection
          viewId={state.shown.viewId}
          template={current.template}
          view={state.view}
          title={current.title}
        />
      )}
      <h3 class="share-heading">{share.tiles}</h3>
      <p class="muted small">{share.keyHint(`${KEY_WORD} / ${KEY_VARIABLE}`)}</p>
      {PROGRAMS.map((program) => (
        <Snippet key={program} name={program} text={toSnippet(program, current)} />
      ))}
    </div>
  );
};
