/** What measures the area and stays when its panel is closed: the dock below the map, and the zones on it. Both are loaded when they are first needed. */
import type { PanelContext } from './panel-context.ts';

/** Opens and closes `host` as the state says. */
export const makeDock = (host: HTMLElement, context: PanelContext): void => {
  const { store, actions, texts } = context;
  host.setAttribute('aria-label', texts.series.title);
  /** Loads once; a failed attempt is repeated the next time. */
  const makeOnce = (load: () => Promise<void>): (() => void) => {
    let isStarted = false;
    return () => {
      if (isStarted) return;
      isStarted = true;
      load().catch((error: unknown) => {
        isStarted = false;
        actions.report.fail(error);
      });
    };
  };
  const fill = makeOnce(async () => (await import('./area/series/series-dock.ts')).fillDock(host, context));
  const follow = makeOnce(async () => (await import('./area/zones/load-zones.ts')).startZones(context));
  store.watch(
    ({ series, area, phase }) => series.isOpen && area !== null && phase.kind === 'ready',
    (isOpen) => {
      host.hidden = !isOpen;
      if (isOpen) fill();
    },
  );
  store.watch(
    ({ zones }) => zones.isOn,
    (isOn) => {
      if (isOn) follow();
    },
  );
};
