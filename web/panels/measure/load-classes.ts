/** Finds presets and scenes, measures classes when they are ordered, and shows them on the map. */
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import { makeLatest } from '../../actions/latest.ts';
import { toFailureOf } from '../../actions/report.ts';
import { isKeyRefused, toFailure, unknownForm } from '../../api/failure.ts';
import type { Outline } from '../../scenes/footprint.ts';
import { outlineOfBox } from '../../scenes/footprint.ts';
import { asNumber, asRecord } from '../../scenes/read-json.ts';
import type { Measured, MeasureState, Preset } from '../../state/measure-state.ts';
import {
  classesOnMap,
  parseMeasured,
  parsePresets,
  planScenes,
  sensorsOf,
} from '../../state/measure-state.ts';
import { sceneAlone } from '../../state/on-map.ts';
import { PLAIN_QUERY } from '../../state/search-state.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import type { PanelContext } from '../panel-context.ts';
import { choosePreset, isCompared, toOrder } from './plan-order.ts';

const SOURCE = 'classes';
const EMPTY = { type: 'FeatureCollection', features: [] } as const;

/** The classes that are looked for, with their colours; the others would only hide the picture. */
function toDrawn({ geojson, classes }: Measured): Parameters<GeoJSONSource['setData']>[0] {
  const { features } = JSON.parse(geojson) as { readonly features: readonly Record<string, unknown>[] };
  return {
    type: 'FeatureCollection',
    features: features.flatMap((feature, i) =>
      classes[i]?.isSought ? [{ ...feature, properties: { color: classes[i].color } }] : [],
    ),
  } as unknown as Parameters<GeoJSONSource['setData']>[0];
}

const draw = (map: MapLibreMap, measured: Measured | null): void => {
  if (map.getSource(SOURCE) === undefined) {
    if (measured === null) return;
    map.addSource(SOURCE, { type: 'geojson', data: EMPTY as never, tolerance: 0 });
    map.addLayer(
      {
        id: 'classes-fill',
        type: 'fill',
        source: SOURCE,
        paint: { 'fill-color': ['get', 'color'], 'fill-opacity': 0.85, 'fill-antialias': false },
      },
      'shape-rim',
    );
  }
  map.getSource<GeoJSONSource>(SOURCE)?.setData(measured === null ? (EMPTY as never) : toDrawn(measured));
};

/** The area, or what the map shows. */
const groundOf = ({ area, bounds }: ViewerState): Outline | null =>
  area?.outline ?? (bounds === null ? null : outlineOfBox(bounds));

/** Patches that are left out where there are too many to draw, in hectares. */
const LARGER_PATCH_HA = 2;

/** Starts following the state. */
export const startClasses = ({ store, api, actions, map }: PanelContext): void => {
  const [latest, latestScenes] = [makeLatest(), makeLatest()];
  const set = (change: Partial<MeasureState>): void =>
    store.update((state) => ({ ...state, measure: { ...state.measure, ...change } }));
  const fail = (error: unknown): { readonly kind: 'failed'; readonly text: string } => {
    const failure = toFailureOf(error);
    if (isKeyRefused(failure)) actions.report.fail(failure);
    return { kind: 'failed', text: failure.message };
  };

  const loadPresets = async (): Promise<void> => {
    set({ presets: { kind: 'loading', progress: null } });
    try {
      set({ presets: { kind: 'ready', value: parsePresets(await api.call('api/classes/presets', {})) } });
    } catch (error) {
      set({ presets: fail(error) });
    }
  };

  const loadScenes = async (preset: Pick<Preset, 'expressions'>): Promise<void> => {
    const { knowledge, datasets, area, bounds } = store.read();
    const sensors = sensorsOf(knowledge?.sensors ?? [], preset).map(({ dataset }) => dataset);
    const known = sensors.filter((dataset) => datasets.includes(dataset));
    if (known.length === 0) return set({ scenes: { kind: 'ready', value: [] } });
    const signal = latestScenes.start();
    set({ scenes: { kind: 'loading', progress: null } });
    const where = { kind: area === null ? 'view' : 'area' } as const;
    const request = {
      query: { ...PLAIN_QUERY, datasets: known, where },
      bounds,
      area: area?.outline ?? null,
      allDatasets: known,
    };
    try {
      const page = await api.searchScenes(request, { page: 1, sensors: knowledge?.sensors ?? [], signal });
      if (!signal.aborted) set({ scenes: { kind: 'ready', value: page.scenes } });
    } catch (error) {
      if (!signal.aborted) set({ scenes: fail(error) });
    }
  };

  const send = async (order: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const response = await api.send('api/classes', { ...init, body: JSON.stringify(order) }, signal);
    const text = await response.text();
    if (response.ok) return text;
    const failure = toFailure(response.status, text);
    // A larger area is measured in larger pixels, and small patches give way where there are too many to draw.
    const pixelM = asNumber(asRecord(JSON.parse(text)).suggestion);
    if (failure.code === 'classes-too-large' && pixelM !== null && order.pixel_m === undefined)
      return send({ ...order, pixel_m: pixelM }, signal);
    if (failure.code === 'too-many-corners' && order.min_area_ha === undefined)
      return send({ ...order, min_area_ha: LARGER_PATCH_HA }, signal);
    throw failure;
  };

  const load = async (): Promise<void> => {
    const state = store.read();
    const { choice, presets, scenes } = state.measure;
    const ground = groundOf(state);
    if (ground === null || presets.kind !== 'ready' || scenes.kind !== 'ready') return;
    const preset = choosePreset(presets.value, choice);
    const { after, before } = planScenes(scenes.value, {
      choice,
      shownId: sceneAlone(state)?.viewId ?? null,
      compares: isCompared(preset, choice),
    });
    const order = after === null ? null : toOrder({ choice, preset, ground, after, before });
    if (after === null || order === null) return;
    actions.showMeasuredScene(after);
    const signal = latest.start();
    set({ made: { kind: 'loading', progress: null } });
    try {
      const measured = parseMeasured(await send(order, signal), { order, preset });
      if (measured === null) throw unknownForm();
      if (!signal.aborted) set({ made: { kind: 'ready', value: measured } });
    } catch (error) {
      if (!signal.aborted) set({ made: fail(error) });
    }
  };

  store.watch(
    ({ panel, phase, measure }) =>
      panel === 'measure' && phase.kind === 'ready' && measure.presets.kind === 'idle',
    (isDue) => {
      if (isDue) void loadPresets();
    },
  );
  // Scenes of this ground for this question; another ground or question has others.
  store.watch(
    ({ panel, phase, measure, area, bounds }) => {
      if (panel !== 'measure' || phase.kind !== 'ready' || measure.presets.kind !== 'ready') return null;
      const preset = choosePreset(measure.presets.value, measure.choice);
      const names = preset?.expressions ?? [measure.choice.index];
      return JSON.stringify([names, area?.outline ?? bounds]);
    },
    (key, { measure }) => {
      if (key === null || measure.presets.kind !== 'ready') return;
      const preset = choosePreset(measure.presets.value, measure.choice);
      void loadScenes(preset ?? { expressions: [measure.choice.index] });
    },
  );
  store.watch(
    ({ area }) => area,
    (_, { measure }) => {
      // Classes of another area say nothing of this one.
      if (measure.isOn && measure.made.kind !== 'idle') actions.showClasses(false);
    },
  );
  store.watch(
    ({ measure, phase }) =>
      measure.isOn &&
      measure.made.kind === 'idle' &&
      measure.scenes.kind === 'ready' &&
      phase.kind === 'ready',
    (isDue) => {
      if (isDue) void load();
    },
  );
  store.watch(
    ({ measure }) => measure.isOn,
    (isOn) => {
      if (!isOn) latest.cancel();
    },
  );
  void map.then(({ gl }) => store.watch(classesOnMap, (measured) => draw(gl, measured)));
};
