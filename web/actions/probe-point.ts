/** Reading the values of every band and index at a clicked point. */
import { isKeyRefused } from '../api/failure.ts';
import { isMissing } from '../scenes/bands.ts';
import type { Point } from '../state/map-view.ts';
import { clearLayerOnMap } from '../state/on-map.ts';
import type { NamedValue, Probe, ProbeSource } from '../state/probe.ts';
import { missingOf } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';
import { makeLatest } from './latest.ts';
import type { Report } from './report.ts';
import { toFailureOf } from './report.ts';

/** What a user does with points. */
export interface ProbeActions {
  probePoint(point: Point): Promise<void>;
  closeProbe(): void;
}

/** As many expressions as one request takes: as many as a picture has channels. */
const AT_ONCE = 3;

/** Builds them. */
export const makeProbeActions = ({ store, api, texts }: ActionParts, report: Report): ProbeActions => {
  const latest = makeLatest();
  const setProbe = (change: Partial<Probe>): void =>
    store.update((state) =>
      state.probe === null ? state : { ...state, probe: { ...state.probe, ...change } },
    );

  /** Values of a list of names; one that the scene cannot say is left out and does not cost the others. */
  const readNamed = async (
    names: readonly string[],
    { viewId, point, signal }: { viewId: string; point: Point; signal: AbortSignal },
  ): Promise<readonly NamedValue[]> => {
    const { isCalibrated } = store.read().picture;
    const read = async (expressions: readonly string[]): Promise<readonly NamedValue[]> => {
      const values = await api.readValues({ viewId, expressions, point, isCalibrated }, signal);
      return expressions.map((name, i) => ({ name, value: values[i] ?? null }));
    };
    const groups = Array.from({ length: Math.ceil(names.length / AT_ONCE) }, (_, i) =>
      names.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
    );
    const answers = await Promise.all(
      groups.map((group) =>
        read(group).catch(async (error: unknown) => {
          // A band without a file refuses its whole group: then each is asked for by itself.
          if (toFailureOf(error).status !== 422) throw error;
          const single = group.map((name) =>
            read([name]).catch((own: unknown) => {
              if (toFailureOf(own).status !== 422) throw own;
              return [];
            }),
          );
          return (await Promise.all(single)).flat();
        }),
      ),
    );
    return answers.flat();
  };

  const readProbe = async (
    { sensor, viewId }: ProbeSource,
    point: Point,
    signal: AbortSignal,
  ): Promise<void> => {
    const missing = missingOf(store.read(), viewId);
    const isThere = (name: string): boolean => !isMissing(sensor, name, missing);
    const bandNames = sensor.bands.map(({ name }) => name).filter(isThere);
    const indexNames = sensor.indices
      .filter(({ kind }) => kind === 'index')
      .map(({ name }) => name)
      .filter(isThere);
    const [bands, indices] = await Promise.all([
      readNamed(bandNames, { viewId, point, signal }),
      readNamed(indexNames, { viewId, point, signal }),
    ]);
    if (!signal.aborted) setProbe({ bands, indices, isLoading: false });
  };

  /** A height that cannot be read costs no other value. */
  const readElevation = async (point: Point, signal: AbortSignal): Promise<void> => {
    const elevationM = await api.readElevation(point, signal).catch(() => null);
    if (!signal.aborted) setProbe({ elevationM });
  };

  const probePoint = async (point: Point): Promise<void> => {
    const { shown } = store.read();
    if (shown === null) return;
    const signal = latest.start();
    const layer = clearLayerOnMap(store.read());
    const nothing = { failure: null, bands: [], indices: [], elevationM: null };
    const source = layer === null ? shown : null;
    const probe: Probe = { ...nothing, point, source, isLoading: true };
    store.update((state) => ({ ...state, probe }));
    void readElevation(point, signal);
    try {
      const read = layer === null ? shown : await api.readClearSource(layer, point, signal);
      if (signal.aborted) return;
      if (read === null) setProbe({ isLoading: false, failure: texts.clear.noneHere });
      else {
        setProbe({ source: read });
        await readProbe(read, point, signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailureOf(error);
      if (isKeyRefused(failure)) report.fail(failure);
      else {
        const text = failure.status === 404 ? texts.values.outside : failure.message;
        setProbe({ isLoading: false, failure: text });
      }
    }
  };
  // Stored numbers and physical values are other numbers.
  store.watch(
    ({ picture }) => picture.isCalibrated,
    (_, { probe }) => {
      if (probe !== null) void probePoint(probe.point);
    },
  );

  return {
    probePoint,
    closeProbe() {
      latest.cancel();
      store.update((state) => (state.probe === null ? state : { ...state, probe: null }));
    },
  };
};
