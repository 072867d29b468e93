/** What MapLibre draws for nothing. Without a graphics card a frame takes a tenth of a second, and every one of them counts. */
import type { MapLibreMap } from 'maplibre-gl';

/** Leaves it out, as no option does. */
export const spareFrames = (map: MapLibreMap): void => {
  // A transparent sky over every pixel of every frame: a third of its time.
  map.painter.drawFunctions = { ...map.painter.drawFunctions, sky: () => {} };
  // Each change of the style a second time: it is announced in the middle of the frame that draws it, and the map takes its
  // own announcement as a reason for another frame. Only a change that a listener makes then needs one.
  const { style } = map;
  const update = style.update.bind(style);
  style.update = (parameters) => {
    update(parameters);
    map._styleDirty = style._changed;
  };
};
