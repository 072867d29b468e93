/** The state that the page begins with: what the address says, and what the browser remembers. */
import type { OwnColormap } from '../scenes/own-colormap.ts';
import type { Address } from './address.ts';
import { PLAIN_ANIMATION, toAnimation } from './animation.ts';
import type { Area, Line } from './drawing.ts';
import { NO_DRAWING } from './drawing.ts';
import { NO_SERIES } from './series-state.ts';
import type { ViewerState } from './viewer-state.ts';
import { INITIAL_STATE } from './viewer-state.ts';
import { NO_ZONES } from './zones-state.ts';

interface Remembered {
  /** A phone, which has room for a panel or for the chart of a series. */
  readonly isNarrow: boolean;
  /** The area of the address, wherever it is stored. */
  readonly area: Area | null;
  /** The line, likewise. */
  readonly line: Line | null;
  readonly ownColormaps: readonly OwnColormap[];
}

/** The panel that an address opens; where the chart of a series has no room next to a panel, the chart is what was sent. */
export const panelOfAddress = (
  { panel, series }: Pick<Address, 'panel' | 'series'>,
  isSeriesAlone: boolean,
): ViewerState['panel'] => {
  if (isSeriesAlone && series !== null) return null;
  return panel === undefined ? INITIAL_STATE.panel : panel;
};

/** Puts both together. */
export const toFirstState = (
  address: Address,
  { isNarrow, area, line, ownColormaps }: Remembered,
): ViewerState => {
  const { view, sceneId, dataset, clearView, picture, opacity, query, terrain } = address;
  const { comparison, animation, series, seriesForm, zones } = address;
  return {
    ...INITIAL_STATE,
    panel: panelOfAddress(address, isNarrow && area !== null),
    query,
    wanted: sceneId === null ? null : { sceneId, dataset },
    clearView,
    picture,
    isPictureChosen: picture.bands !== null,
    ownColormaps,
    opacity,
    terrain,
    view,
    area,
    drawing: { ...NO_DRAWING, line },
    series: {
      ...NO_SERIES,
      isOpen: series !== null,
      choice: series ?? NO_SERIES.choice,
      form: seriesForm,
    },
    zones: { ...NO_ZONES, isOn: zones !== null, choice: zones ?? NO_ZONES.choice },
    wantedComparison: comparison,
    animation: animation && toAnimation(animation, PLAIN_ANIMATION),
  };
};
