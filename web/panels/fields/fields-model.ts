/** What the panel of fields knows and does: its list, what was measured, and which page of it is open. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import { computed, signal } from '@preact/signals';
import { wait } from '../../../clients/typescript/src/transport.ts';
import type { Latest } from '../../actions/latest.ts';
import { makeLatest } from '../../actions/latest.ts';
import { seriesSensorsOf } from '../../actions/plan-series.ts';
import { toFailureOf } from '../../actions/report.ts';
import { isKeyRefused } from '../../api/failure.ts';
import type { FieldValues } from '../../api/field-values.ts';
import { measureFields } from '../../api/field-values.ts';
import type { Field, FieldApi, FieldList, FieldShapes } from '../../api/fields.ts';
import { makeFieldApi } from '../../api/fields.ts';
import type { SubscriptionApi } from '../../api/subscriptions.ts';
import { makeSubscriptionApi } from '../../api/subscriptions.ts';
import type { Box } from '../../scenes/footprint.ts';
import type { ViewerSensor } from '../../scenes/sensor.ts';
import type { Area } from '../../state/drawing.ts';
import type { Loading } from '../../state/series-state.ts';
import { NO_FIELD } from '../../state/series-state.ts';
import { isNarrow } from '../narrow.ts';
import type { PanelContext } from '../panel-context.ts';
import type { Coloring, FieldScale } from './field-colors.ts';
import { toScale } from './field-colors.ts';
import type { FieldRow, RowChoice } from './field-rows.ts';
import { ALL_ROWS, chooseRows, revisionOf, toRow } from './field-rows.ts';
import type { FieldTexts } from './field-texts.ts';
import type { Measuring } from './plan-fields.ts';
import { boxAround, chooseSensor } from './plan-fields.ts';

/** The pages of the panel. */
export type Page =
  | { readonly kind: 'list' | 'new' | 'import' }
  | { readonly kind: 'field'; readonly id: string }
  /** A new alert for this field, if one is given. */
  | { readonly kind: 'alerts'; readonly fieldId: string | null };

/** The model. */
export interface FieldsModel {
  readonly words: FieldTexts;
  readonly calls: FieldApi;
  readonly subscriptions: SubscriptionApi;
  readonly list: ReadonlySignal<Loading<FieldList>>;
  readonly fields: ReadonlySignal<readonly Field[]>;
  readonly mayChange: ReadonlySignal<boolean>;
  readonly shapes: ReadonlySignal<Loading<FieldShapes>>;
  readonly measured: ReadonlySignal<Loading<FieldValues>>;
  readonly measuring: ReadonlySignal<Measuring>;
  /** The sensor whose scenes are measured; `null` if none can be. */
  readonly sensor: ReadonlySignal<ViewerSensor | null>;
  /** All rows, and those that are chosen, in their order. */
  readonly rows: ReadonlySignal<readonly FieldRow[]>;
  readonly chosen: ReadonlySignal<readonly FieldRow[]>;
  readonly choice: Signal<RowChoice>;
  readonly coloring: Signal<Coloring>;
  readonly scale: ReadonlySignal<FieldScale | null>;
  readonly page: Signal<Page>;
  /** The field under the pointer, in the list or on the map. */
  readonly hovered: Signal<string | null>;
  /** A file that is to be imported, and the group of its shapes. */
  readonly brought: Signal<{ readonly file: File; readonly group: string | null } | null>;
  /** Loads the list again, and measures its fields unless there are very many. */
  load(): Promise<void>;
  measure(): Promise<void>;
  chooseMeasuring(change: Partial<Measuring>): void;
  /** Puts a field in, or another version of it. */
  keep(field: Field): void;
  drop(id: string): void;
  /** Makes the outline of a field the area of the page, and opens its curve. */
  showField(field: Field, signal: AbortSignal): Promise<Area | null>;
  /** Draws another field in the same chart; `null` for none. */
  compare(other: Field | null): Promise<void>;
  /** The other field. */
  readonly comparedId: ReadonlySignal<string | null>;
  /** Takes the area of a field and its curve away again. */
  leaveField(): void;
  /** Moves the map to fields. */
  fit(boxes: readonly Box[]): void;
}

/** So many are measured without being asked. */
export const MEASURED_AT_ONCE = 2000;
const IDLE = { kind: 'idle' } as const;

/** Builds the model. */
export const makeFieldsModel = (context: PanelContext, words: FieldTexts): FieldsModel => {
  const { store, state, api, actions, texts } = context;
  const parts = { api, wait };
  const calls = makeFieldApi(parts);
  const list = signal<Loading<FieldList>>(IDLE);
  const shapes = signal<Loading<FieldShapes>>(IDLE);
  const measured = signal<Loading<FieldValues>>(IDLE);
  const measuring = signal<Measuring>({ dataset: null, index: 'NDVI' });
  const choice = signal<RowChoice>(ALL_ROWS);
  const coloring = signal<Coloring>('value');
  const page = signal<Page>({ kind: 'list' });
  const hovered = signal<string | null>(null);
  const brought: FieldsModel['brought'] = signal(null);
  const comparedId = signal<string | null>(null);
  let areaOfField: Area | null = null;

  const fields = computed(() => (list.value.kind === 'ready' ? list.value.value.fields : []));
  const mayChange = computed(() => list.value.kind === 'ready' && list.value.value.mayChange);
  const sensor = computed(() => chooseSensor(seriesSensorsOf(state.value), measuring.value));
  const rows = computed(() => {
    const values = measured.value.kind === 'ready' ? measured.value.value : null;
    return fields.value.map((field) => toRow(field, measuring.value.index, values));
  });
  const chosen = computed(() => chooseRows(rows.value, choice.value, texts.locale));
  const scale = computed(() => toScale(rows.value, coloring.value));

  const latest: Readonly<Record<'list' | 'shapes' | 'measured', Latest>> = {
    list: makeLatest(),
    shapes: makeLatest(),
    measured: makeLatest(),
  };
  const fail = (error: unknown): { readonly kind: 'failed'; readonly text: string } => {
    const failure = toFailureOf(error);
    if (isKeyRefused(failure)) actions.report.fail(failure);
    return { kind: 'failed', text: failure.message };
  };
  /** Loads a part; one that was overtaken says nothing. */
  const loadInto = async <Value>(
    part: Signal<Loading<Value>>,
    turn: Latest,
    read: (signal: AbortSignal) => Promise<Value>,
  ): Promise<void> => {
    const abort = turn.start();
    try {
      const value = await read(abort);
      if (!abort.aborted) part.value = { kind: 'ready', value };
    } catch (error) {
      if (!abort.aborted) part.value = fail(error);
    }
  };

  const measure = async (): Promise<void> => {
    const { newestDay } = store.read();
    const [asked, of] = [measuring.value, sensor.value];
    if (of === null || fields.value.length === 0 || !mayChange.value) {
      latest.measured.cancel();
      measured.value = IDLE;
      return;
    }
    measured.value = { kind: 'loading', progress: null };
    const order = {
      dataset: of.dataset,
      index: asked.index,
      to: newestDay ?? new Date().toISOString().slice(0, 10),
      revision: revisionOf(fields.value),
    };
    await loadInto(measured, latest.measured, (abort) =>
      measureFields(parts, order, {
        signal: abort,
        onProgress(progress) {
          if (!abort.aborted) measured.value = { kind: 'loading', progress };
        },
      }),
    );
  };

  const load = async (): Promise<void> => {
    if (list.value.kind !== 'ready') list.value = { kind: 'loading', progress: null };
    await loadInto(list, latest.list, calls.list);
    if (list.value.kind !== 'ready') return;
    const { hasMore } = list.value.value;
    if (fields.value.length === 0 || hasMore) shapes.value = { kind: 'ready', value: [] };
    else void loadInto(shapes, latest.shapes, calls.readOutlines);
    if (fields.value.length <= MEASURED_AT_ONCE) await measure();
  };
  const setFields = (change: (known: readonly Field[]) => readonly Field[]): void => {
    if (list.value.kind !== 'ready') return;
    const { value } = list.value;
    list.value = { kind: 'ready', value: { ...value, fields: change(value.fields) } };
  };

  const isOpen = computed(() => state.value.panel === 'fields' && state.value.phase.kind === 'ready');
  isOpen.subscribe((open) => {
    if (open && (list.peek().kind === 'idle' || list.peek().kind === 'failed')) void load();
  });
  // A file that was dropped on the page, also before this panel was there.
  computed(() => state.value.fieldFile).subscribe((file) => {
    if (file === null) return;
    brought.value = { file, group: null };
    page.value = { kind: 'import' };
    actions.takeFieldFile();
  });
  // Another area is not this field.
  computed(() => state.value.area).subscribe((area) => {
    if (areaOfField !== null && area !== areaOfField && store.read().series.field !== NO_FIELD)
      actions.setSeriesField(NO_FIELD);
  });
  // Another key has other fields.
  computed(() => state.value.phase.kind === 'needs-key').subscribe((isAsked) => {
    if (!isAsked) return;
    for (const turn of Object.values(latest)) turn.cancel();
    [list.value, shapes.value, measured.value] = [IDLE, IDLE, IDLE];
    page.value = { kind: 'list' };
  });

  return {
    words,
    calls,
    subscriptions: makeSubscriptionApi(api),
    list,
    fields,
    mayChange,
    shapes,
    measured,
    measuring,
    sensor,
    rows,
    chosen,
    choice,
    coloring,
    scale,
    page,
    hovered,
    brought,
    comparedId,
    load,
    measure,
    chooseMeasuring(change) {
      measuring.value = { ...measuring.value, ...change };
      void measure();
    },
    keep: (field) =>
      setFields((known) =>
        known.some(({ id }) => id === field.id)
          ? known.map((one) => (one.id === field.id ? field : one))
          : [...known, field],
      ),
    drop: (id) => setFields((known) => known.filter((one) => one.id !== id)),
    async showField({ id, name, sownOn }, abort) {
      const outline = await calls.readOutline(id, abort);
      if (abort.aborted) return null;
      actions.setArea({ outline, name });
      areaOfField = store.read().area;
      comparedId.value = null;
      actions.setSeriesField({ name, sownOn, other: null });
      // The curve is of what the list shows, unless it was open with something else.
      const { index } = measuring.value;
      if (!store.read().series.isOpen)
        actions.chooseSeries({ dataset: sensor.value?.dataset ?? null, indices: [index] });
      // A phone has room for the panel or for the chart. The chart first: it leaves less room for the field.
      if (!isNarrow()) actions.openSeries(true);
      actions.fitShape('area');
      return areaOfField;
    },
    async compare(other) {
      const { field } = store.read().series;
      comparedId.value = other?.id ?? null;
      if (other === null) return actions.setSeriesField({ ...field, other: null });
      try {
        const outline = await calls.readOutline(other.id);
        if (comparedId.value === other.id)
          actions.setSeriesField({ ...field, other: { outline, name: other.name } });
      } catch (error) {
        comparedId.value = null;
        actions.report.fail(error);
      }
    },
    leaveField() {
      if (areaOfField === null || store.read().area !== areaOfField) return;
      actions.openSeries(false);
      actions.setArea(null);
      actions.setSeriesField(NO_FIELD);
    },
    fit(boxes) {
      const box = boxAround(boxes);
      if (box !== null) store.update((now) => ({ ...now, goal: { kind: 'box', box, isAnimated: true } }));
    },
  };
};
