/** What the controls of both maps have in common: their words, and room on narrow screens. */
import type { MapLibreMap } from 'maplibre-gl';
import type { Texts } from '../texts/en.ts';

/** The names of the controls, by MapLibre's keys. */
export const toControlWords = (labels: Texts['mapControls']): Record<string, string> => ({
  'NavigationControl.ZoomIn': labels.zoomIn,
  'NavigationControl.ZoomOut': labels.zoomOut,
  'NavigationControl.ResetBearing': labels.compass,
  'AttributionControl.ToggleAttribution': labels.attribution,
});

/** On a narrow map the attribution, opened, would meet the readout: it opens when it is asked for. */
const NARROW_PX = 480;

/** Closes the attribution of a narrow map, which opens by itself when there is something to say. */
export const closeNarrowAttribution = (map: MapLibreMap): void => {
  const container = map.getContainer();
  if (container.clientWidth >= NARROW_PX) return;
  map.once('idle', () => {
    const attribution = container.querySelector('.maplibregl-ctrl-attrib');
    attribution?.classList.remove('maplibregl-compact-show');
    attribution?.removeAttribute('open');
  });
};
