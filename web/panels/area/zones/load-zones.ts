/** Makes zones when they are ordered, and shows them on the map; another order cancels what it overtakes. */
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import { makeLatest } from '../../../actions/latest.ts';
import { toFailureOf } from '../../../actions/report.ts';
import { isKeyRefused } from '../../../api/failure.ts';
import type { Zones, ZonesState } from '../../../state/zones-state.ts';
import { zonesOnMap } from '../../../state/zones-state.ts';
import type { PanelContext } from '../../panel-context.ts';
import type { DecodePicture } from './make-zones.ts';
import { makeZones } from './make-zones.ts';
import { toZonesGeoJson } from './to-geojson.ts';

const SOURCE = 'zones';
/** Colours from low to high, as the server gives them to classes. */
const COLORMAP = 'RdYlGn';

/** The bytes of a picture, without any correction of its colours. */
const decode: DecodePicture = async (picture) => {
  const options = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' } as const;
  const bitmap = await createImageBitmap(picture, options);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser has no canvas.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, canvas.width, canvas.height).data;
};

/** A turn of the page: pointers, keys and drawing go first. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const draw = (map: MapLibreMap, zones: Zones | null): void => {
  if (map.getSource(SOURCE) === undefined) {
    if (zones === null) return;
    map.addSource(SOURCE, {
      type: 'geojson',
      data: { type: 'FeatureCollection', features: [] },
      tolerance: 0,
    });
    // Below the outline of the area, above everything else.
    map.addLayer(
      {
        id: 'zones-fill',
        type: 'fill',
        source: SOURCE,
        // Not transparent: the colours are those of the legend.
        paint: { 'fill-color': ['get', 'color'], 'fill-antialias': false },
      },
      'shape-rim',
    );
    map.addLayer(
      {
        id: 'zones-line',
        type: 'line',
        source: SOURCE,
        paint: { 'line-color': '#17232b', 'line-width': 0.75, 'line-opacity': 0.5 },
      },
      'shape-rim',
    );
  }
  const data = zones === null ? { type: 'FeatureCollection', features: [] } : toZonesGeoJson(zones);
  map.getSource<GeoJSONSource>(SOURCE)?.setData(data as Parameters<GeoJSONSource['setData']>[0]);
};

/** Starts following the orders. */
export const startZones = ({ store, api, actions, map }: PanelContext): void => {
  const latest = makeLatest();
  const set = (made: ZonesState['made']): void =>
    store.update((state) => ({ ...state, zones: { ...state.zones, made } }));

  const load = async (): Promise<void> => {
    const { area, shown, knowledge, zones } = store.read();
    if (area === null || shown === null) return;
    const signal = latest.start();
    set({ kind: 'loading', progress: null });
    const colors = knowledge?.colormaps.find(({ name }) => name === COLORMAP)?.colors ?? [];
    const request = { outline: area.outline, scene: shown, choice: zones.choice, colors };
    try {
      const value = await makeZones({ send: api.send, decode, pause }, request, signal);
      if (!signal.aborted) set({ kind: 'ready', value });
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailureOf(error);
      set({ kind: 'failed', text: failure.message });
      if (isKeyRefused(failure)) actions.report.fail(failure);
    }
  };
  store.watch(
    ({ area }) => area,
    (area, { zones }) => {
      // Zones of another area say nothing of this one.
      if (zones.isOn && zones.made.kind !== 'idle') actions.showZones(area !== null);
    },
  );
  store.watch(
    ({ zones, area, shown, phase }) =>
      zones.isOn && zones.made.kind === 'idle' && area !== null && shown !== null && phase.kind === 'ready',
    (isDue) => {
      if (isDue) void load();
    },
  );
  store.watch(
    ({ zones }) => zones.isOn,
    (isOn) => {
      if (!isOn) latest.cancel();
    },
  );
  void map.then(({ gl }) => store.watch(zonesOnMap, (zones) => draw(gl, zones)));
};
