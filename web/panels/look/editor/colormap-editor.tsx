/** The editor of own colormaps. Loaded when it is opened. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { readJointRange } from '../../../api/joint-range.ts';
import type { ViewerColormap } from '../../../scenes/knowledge.ts';
import type { ColormapDraft, OwnColormap } from '../../../scenes/own-colormap.ts';
import { toSpan } from '../../../scenes/own-colormap.ts';
import type { Contrast } from '../../../scenes/picture.ts';
import { bandsOfPicture } from '../../../scenes/picture.ts';
import { Button, Segments, Select } from '../../kit/controls.tsx';
import { usePanel } from '../../kit/panel.tsx';
import type { PanelContext } from '../../panel-context.ts';
import {
  addStop,
  addStopInGap,
  canRemove,
  colorStop,
  fromNamed,
  isPinned,
  moveStop,
  removeStop,
  setAbsolute,
  setDiscrete,
} from './draft.ts';
import { StopStrip } from './stop-strip.tsx';

/** What people begin with when nothing is chosen. */
const FIRST = 'viridis';

interface First {
  readonly draft: ColormapDraft;
  readonly edited: OwnColormap | null;
}

/** The colours on the map: own ones to change, named ones to start from. */
const toFirstDraft = ({ store, texts }: PanelContext): First => {
  const { picture, ownColormaps, knowledge } = store.read();
  const colormaps = knowledge?.colormaps ?? [];
  const base = picture.colormap?.replace(/_r$/, '') ?? FIRST;
  const edited = ownColormaps.find(({ id }) => id === base) ?? null;
  if (edited !== null) return { draft: edited.isSaved ? edited : { ...edited, name: '' }, edited };
  const named = colormaps.find(({ name }) => name === base) ?? colormaps.find(({ name }) => name === FIRST);
  const grey: ViewerColormap = { name: '', isDiscrete: false, colors: ['#000000', '#ffffff', '#ffffff'] };
  const shown = named ?? grey;
  const isReversed = picture.colormap?.endsWith('_r') ?? false;
  const colors = isReversed ? shown.colors.toReversed() : shown.colors;
  return { draft: fromNamed({ ...shown, colors }, texts.look.ownColours), edited: null };
};

/** What the strip runs between: shares, or values that hold those of the data. */
const toValues = (draft: ColormapDraft, contrast: Contrast): Contrast => {
  if (!draft.isAbsolute) return { min: 0, max: 1 };
  const own = toSpan(draft);
  return { min: Math.min(own.min, contrast.min), max: Math.max(own.max, contrast.max) };
};

/** The draft, and changes of it. */
const useDraft = (first: ColormapDraft) => {
  const { store, api } = usePanel();
  const draft = useSignal(first);
  const selected = useSignal(0);
  /** Values of the data, for positions that are values. */
  const contrast = useSignal<Contrast>(store.read().picture.contrast ?? { min: 0, max: 1 });
  const span = useSignal(toValues(first, contrast.peek()));
  const change = (next: ColormapDraft, index = selected.value): void => {
    draft.value = next;
    selected.value = Math.min(Math.max(0, index), next.stops.length - 1);
  };
  /** A change after which the strip runs between other values. */
  const changeSpan = (next: ColormapDraft, index = selected.value): void => {
    span.value = toValues(next, contrast.value);
    change(next, index);
  };
  useEffect(() => {
    const { shown, picture } = store.read();
    if (shown === null || picture.contrast !== null) return;
    const bands = bandsOfPicture(shown.sensor, picture);
    const controller = new AbortController();
    const { viewId } = shown;
    const wanted = { viewId, bands, of: 'picture', isCalibrated: picture.isCalibrated } as const;
    readJointRange(api, wanted, controller.signal).then(
      (range) => {
        contrast.value = range;
        if (draft.value.isAbsolute) changeSpan(draft.value);
      },
      // Positions can be typed without it.
      () => undefined,
    );
    return () => controller.abort();
  }, []);
  return { draft, selected, contrast, span, change, changeSpan };
};

/** The editor of the colours that are on the map when it is opened. */
export const ColormapEditor: FunctionComponent<{ readonly onClose: () => void }> = ({ onClose }) => {
  const context = usePanel();
  const { actions, store, texts } = context;
  const words = texts.look;
  const colormaps = store.read().knowledge?.colormaps ?? [];
  const first = useMemo(() => toFirstDraft(context), []);
  const { edited } = first;
  const { draft, selected, contrast, span, change, changeSpan } = useDraft(first.draft);
  const name = useSignal(first.draft.name);
  const start = useSignal('');
  const refusal = useSignal('');
  const isSaving = useSignal(false);
  /** A position that is being typed is not replaced by what it means. */
  const typed = useSignal<string | null>(null);
  const handles = useRef<HTMLDivElement>(null);
  const { value: now } = draft;
  const stop = now.stops[selected.value];

  const focusSelected = (): void =>
    queueMicrotask(() => (handles.current?.children[selected.value] as HTMLElement | undefined)?.focus());
  const edit = (next: ColormapDraft, index?: number): void => {
    refusal.value = '';
    change(next, index);
  };
  const editSpan = (next: ColormapDraft, index?: number): void => {
    refusal.value = '';
    changeSpan(next, index);
  };
  const removeAt = (index: number): void => {
    edit(removeStop(now, index), index);
    focusSelected();
  };
  const addAt = (added: { readonly draft: ColormapDraft; readonly index: number }): void => {
    if (added.index < 0) return;
    edit(added.draft, added.index);
    focusSelected();
  };
  const startFrom = (base: string): void => {
    start.value = base;
    const named = colormaps.find((one) => one.name === base);
    if (named === undefined) return;
    const fresh = fromNamed(named, now.name);
    editSpan(now.isAbsolute ? setAbsolute(fresh, true, contrast.value) : fresh, 0);
  };
  const save = async (): Promise<void> => {
    isSaving.value = true;
    const title = name.value.trim() || words.ownColours;
    try {
      const reason = await actions.saveColormap({ ...now, name: title }, edited?.id ?? null);
      if (reason === null) onClose();
      else refusal.value = reason;
    } finally {
      isSaving.value = false;
    }
  };
  return (
    <form
      class="colormap-editor"
      aria-label={words.editColours}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <StopStrip
        draft={now}
        span={span.value}
        selected={selected.value}
        handles={handles}
        onSelect={(index) => edit(draft.peek(), index)}
        onMove={(index, position) => edit(moveStop(draft.peek(), index, position), index)}
        onAdd={(position) => addAt(addStop(now, position))}
        onRemove={removeAt}
      />
      <div class="stop-row">
        <label for="stop-color" class="unseen">
          {words.stopColor}
        </label>
        <input
          id="stop-color"
          type="color"
          value={stop?.color ?? '#000000'}
          onInput={({ currentTarget }) => edit(colorStop(now, selected.value, currentTarget.value))}
        />
        <label for="stop-position" class="unseen">
          {words.stopPosition}
        </label>
        <input
          id="stop-position"
          type="number"
          step="any"
          value={typed.value ?? String(stop?.position ?? 0)}
          disabled={isPinned(now, selected.value)}
          onInput={({ currentTarget: { value } }) => {
            typed.value = value;
            if (value !== '') editSpan(moveStop(now, selected.value, Number(value)));
          }}
          onBlur={() => {
            typed.value = null;
          }}
        />
        <Button
          look="plain"
          icon="close"
          label={words.removeStop}
          hint={words.removeStop}
          isDisabled={!canRemove(now)}
          onClick={() => removeAt(selected.value)}
        />
        <Button look="link" onClick={() => addAt(addStopInGap(now))}>
          {words.addStop}
        </Button>
      </div>
      <Segments
        name="colormap-kind"
        legend={words.between}
        choices={[
          { value: 'mixed', title: words.mixed },
          { value: 'steps', title: words.steps },
        ]}
        value={now.isDiscrete ? 'steps' : 'mixed'}
        onChoose={(kind) => editSpan(setDiscrete(now, kind === 'steps'))}
      />
      <Segments
        name="colormap-units"
        legend={words.positions}
        choices={[
          { value: 'shares', title: words.shares },
          { value: 'values', title: words.valuesOfData },
        ]}
        value={now.isAbsolute ? 'values' : 'shares'}
        onChoose={(units) => editSpan(setAbsolute(now, units === 'values', contrast.value))}
      />
      <div class="row">
        <label for="colormap-start">{words.startFrom}</label>
        <Select
          id="colormap-start"
          choices={[
            { value: '', title: '–' },
            ...colormaps.map((one) => ({ value: one.name, title: one.name })),
          ]}
          value={start.value}
          onChoose={startFrom}
        />
      </div>
      <div class="row">
        <label for="colormap-name">{words.colormapName}</label>
        <input
          id="colormap-name"
          type="text"
          maxLength={60}
          autocomplete="off"
          required
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      </div>
      <p class="refusal small" role="alert">
        {refusal.value}
      </p>
      <div class="editor-end">
        <button type="submit" class="primary" disabled={isSaving.value}>
          {words.saveColours}
        </button>
        <Button onClick={onClose}>{words.closeEditor}</Button>
        {edited?.isSaved && (
          <Button
            look="link"
            hint={words.deleteColoursHint}
            onClick={() => {
              onClose();
              void actions.deleteColormap(edited.id);
            }}
          >
            {words.deleteColours}
          </Button>
        )}
      </div>
    </form>
  );
};
