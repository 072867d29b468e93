/** The frame: the rail of panels, and the open one next to it. */
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PanelName } from '../state/viewer-state.ts';
import { PANELS } from '../state/viewer-state.ts';
import { loadLaterTexts } from '../texts/choose-texts.ts';
import { FindPanel } from './find/find-panel.tsx';
import { Button, Icon } from './kit/controls.tsx';
import { mount, usePanel, usePart } from './kit/panel.tsx';
import { lazyPanel } from './lazy-panel.tsx';
import { hidePart } from './page.ts';
import type { PanelContext } from './panel-context.ts';
import { PhaseView } from './phase.tsx';
import { Settings } from './settings/settings-panel.tsx';

const panels: Readonly<Record<PanelName, FunctionComponent>> = {
  find: FindPanel,
  look: lazyPanel(async () => (await import('./look/look-panel.tsx')).Look),
  area: lazyPanel(async () => (await import('./area/area-panel.tsx')).AreaPanel),
  fields: lazyPanel(async () => (await import('./fields/fields-panel.tsx')).loadFields(loadLaterTexts)),
  measure: lazyPanel(async () => (await import('./measure/measure-panel.tsx')).Measure),
  compare: lazyPanel(async () => (await import('./compare/compare-panel.tsx')).Compare),
  download: lazyPanel(async () => (await import('./download/download-panel.tsx')).Download),
  share: lazyPanel(async () => (await import('./share/share-panel.tsx')).Share),
  settings: Settings,
};

const RailButton: FunctionComponent<{ readonly name: PanelName }> = ({ name }) => {
  const { actions, texts } = usePanel();
  const isOpen = usePart(({ panel }) => panel === name);
  return (
    <button
      type="button"
      class="rail-button"
      data-panel={name}
      aria-controls="panel"
      aria-expanded={isOpen}
      onClick={() => actions.openPanel(isOpen ? null : name)}
    >
      <Icon name={name} />
      <span>{texts.panels[name]}</span>
    </button>
  );
};

const Rail: FunctionComponent = () => (
  <>
    {PANELS.map((name) => (
      <RailButton key={name} name={name} />
    ))}
  </>
);

const findRailButton = (name: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`.rail-button[data-panel="${name}"]`);

/** The phases of the page take the place of panels, except for the settings. */
const PHASE = 'phase';

/** The open panel. One that was opened before stays made, so that it comes back as it was left. */
const OpenPanel: FunctionComponent<{ readonly host: HTMLElement }> = ({ host }) => {
  const context = usePanel();
  const { actions, texts } = context;
  const shown = usePart(({ phase, panel }) =>
    phase.kind === 'ready' || panel === 'settings' ? panel : PHASE,
  );
  const made = useRef(new Map<string, HTMLElement>()).current;
  const last = useRef<PanelName | typeof PHASE>(PHASE);
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    hidePart(host, shown === null, () => [findRailButton(last.current)]);
    if (shown === null || body.current === null) return;
    let element = made.get(shown);
    if (element === undefined) {
      element = document.createElement('div');
      mount(element, shown === PHASE ? PhaseView : panels[shown], context);
      made.set(shown, element);
    }
    last.current = shown;
    body.current.scrollTop = 0;
    body.current.replaceChildren(element);
  }, [shown]);
  // A panel that is closed keeps its title until another one is opened.
  const titled = shown ?? last.current;
  return (
    <>
      <header>
        <h2 id="panel-title">{titled === PHASE ? 'Swath' : texts.panels[titled]}</h2>
        {titled !== PHASE && (
          <Button
            look="plain"
            icon="close"
            label={texts.frame.close}
            onClick={() => actions.openPanel(null)}
          />
        )}
      </header>
      <div id="panel-body" ref={body} />
    </>
  );
};

interface FrameHosts {
  readonly rail: HTMLElement;
  readonly panel: HTMLElement;
}

/** Fills the rail and the panel of the page. */
export const mountFrame = (context: PanelContext, { rail, panel }: FrameHosts): void => {
  mount(rail, Rail, context);
  // What it says to browsers without scripts.
  panel.replaceChildren();
  mount(panel, () => <OpenPanel host={panel} />, context);
};
