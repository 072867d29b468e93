/** Tilting and turning the map: only where the ground stands out of it, with a compass to find back. */
import type { MapLibreMap } from 'maplibre-gl';
import { NavigationControl } from 'maplibre-gl';
import { MAX_PITCH_DEG } from '../scenes/terrain.ts';

/** Allows or refuses it; a map that may no longer tilt has to be level already. */
export type SetTilting = (isAllowed: boolean) => void;

/** Builds the switch; it is off, and a flat map shows no compass. */
export const makeTilting = (map: MapLibreMap): SetTilting => {
  const compass = new NavigationControl({ showZoom: false, showCompass: true, visualizePitch: true });
  let isOn = false;
  return (isAllowed) => {
    if (isAllowed === isOn) return;
    isOn = isAllowed;
    if (isAllowed) {
      map.setMaxPitch(MAX_PITCH_DEG);
      map.dragRotate.enable();
      map.touchPitch.enable();
      map.touchZoomRotate.enableRotation();
      map.keyboard.enableRotation();
      map.addControl(compass, 'top-right');
    } else {
      map.setMaxPitch(0);
      map.dragRotate.disable();
      map.touchPitch.disable();
      map.touchZoomRotate.disableRotation();
      map.keyboard.disableRotation();
      map.removeControl(compass);
    }
  };
};
