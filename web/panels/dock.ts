/** What measures the area and stays when its panel is closed: the dock below the map, and the zones on it. */
import type { ViewerState } from '../state/viewer-state.ts';
import { loadWhen } from './load-part.ts';
import { findMapCanvas, hidePart } from './page.ts';
import type { PanelContext } from './panel-context.ts';

const isDockOpen = ({ series, area, phase }: ViewerState): boolean =>
  series.isOpen && area !== null && phase.kind === 'ready';

/** Opens and closes `host` as the state says. */
export const makeDock = (host: HTMLElement, context: PanelContext): void => {
  host.setAttribute('aria-label', context.texts.series.title);
  context.store.watch(isDockOpen, (isOpen) => {
    hidePart(host, !isOpen, () => [
      document.querySelector<HTMLElement>('[aria-controls="dock"]'),
      findMapCanvas(),
    ]);
  });
  loadWhen(context, isDockOpen, async () =>
    (await import('./area/series/series-dock.tsx')).fillDock(host, context),
  );
  loadWhen(
    context,
    ({ zones }) => zones.isOn,
    async () => (await import('./area/zones/load-zones.ts')).startZones(context),
  );
};
