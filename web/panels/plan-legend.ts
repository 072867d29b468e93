/** Which legend the map needs: that of its picture, which the server has, or that of what lies over it. */
import type { Legend } from '../api/legend.ts';
import { isComposite } from '../scenes/bands.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import { titleOfShown } from '../scenes/titles.ts';
import { clearLayerOnMap, sideOfLegend } from '../state/on-map.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { zonesOnMap } from '../state/zones-state.ts';
import { formatDate } from '../texts/format.ts';
import { formatArea } from './area/zones/format-area.ts';
import type { PanelContext } from './panel-context.ts';

/** A legend that is known, or the tiles whose legend the server knows. */
type LegendPlan = { readonly title: string } & ({ readonly legend: Legend } | { readonly template: string });

/** Plans it; `null` where nothing is to be explained. */
export const planLegend = (
  state: ViewerState,
  { texts, preferences }: Pick<PanelContext, 'texts' | 'preferences'>,
): LegendPlan | null => {
  const zones = zonesOnMap(state);
  if (zones !== null) {
    const entries = zones.zones.map(({ number, color, areaM2 }) => ({
      color,
      text: `${texts.zones.zone(number)}: ${formatArea(areaM2, preferences.units, texts.locale)}`,
    }));
    const title = texts.zones.caption(zones.choice.index, formatDate(zones.date, texts.locale));
    return { title, legend: { kind: 'classes', entries } };
  }
  const side = sideOfLegend(state);
  if (side === null) return null;
  const { scene, picture } = side;
  const bands = bandsOfPicture(scene.sensor, picture);
  // Three channels mix their colours, so only one has a legend.
  if (isComposite(scene.sensor, bands)) return null;
  return {
    title: titleOfShown(scene.sensor, bands, texts),
    template: clearLayerOnMap(state)?.template ?? toTemplate(scene, picture),
  };
};
