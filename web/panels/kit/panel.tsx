/** What joins a Preact component to the page: the context of its panel, and parts of the state. */
import type { ReadonlySignal } from '@preact/signals';
import { computed } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { createContext, render } from 'preact';
import { useContext } from 'preact/hooks';
import type { ViewerState } from '../../state/viewer-state.ts';
import type { PanelContext } from '../panel-context.ts';

const Panel = createContext<PanelContext | null>(null);

/** The store's actions, the texts and everything else that panels share. */
export const usePanel = (): PanelContext => {
  const context = useContext(Panel);
  if (context === null) throw new Error('This component is not inside a panel: mount it.');
  return context;
};

const toPart = <Part,>(
  state: ReadonlySignal<ViewerState>,
  select: (state: ViewerState) => Part,
): ReadonlySignal<Part> => computed(() => select(state.value));

/**
 * A part of the state. The component is rendered again when `select` takes another value (`Object.is`) of it: select
 * what is stored, because an array or object that is made on the way differs each time.
 */
export const usePart = <Part,>(select: (state: ViewerState) => Part): Part =>
  // A new computed for each render: `select` may close over props.
  toPart(usePanel().state, select).value;

/** Fills an element of the page with a component; the answer empties it again. */
export const mount = (
  host: HTMLElement,
  Component: FunctionComponent,
  context: PanelContext,
): (() => void) => {
  render(
    <Panel.Provider value={context}>
      <Component />
    </Panel.Provider>,
    host,
  );
  return () => render(null, host);
};
