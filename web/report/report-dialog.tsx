/** The form that saves a picture of the map, or the report of a field: title, format, size; progress, and a way out. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button, FieldRow, Segments, Select } from '../panels/kit/controls.tsx';
import { openDialog } from '../panels/kit/dialog.tsx';
import { usePanel } from '../panels/kit/panel.tsx';
import { Notice } from '../panels/kit/parts.tsx';
import type { PanelContext } from '../panels/panel-context.ts';
import { saveBlob } from '../panels/save-file.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import { titleOfShown } from '../scenes/titles.ts';
import { toFileName } from '../shapes/geojson-file.ts';
import { formatBytes } from '../texts/format.ts';
import { readMaxPx } from './draw-map.ts';
import type { ReportedField, ReportFormat } from './make-report.ts';
import { makeFieldReport, makePicture, REPORT_FORMATS } from './make-report.ts';
import { listIndices } from './read-field.ts';

const SCALES = [1, 2, 3, 4] as const;

interface DialogProps {
  /** `null` for a picture of the map. */
  readonly field: ReportedField | null;
  readonly onClose: () => void;
}

/** The screen's pixels of the map, and the most that can be drawn; unknown until the map is there. */
const useMapSize = (): {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly maxPx: number;
} | null => {
  const { map } = usePanel();
  const size = useSignal<ReturnType<typeof useMapSize>>(null);
  useEffect(() => {
    void map.then(({ gl }) => {
      const { clientWidth: widthPx, clientHeight: heightPx } = gl.getCanvas();
      size.value = { widthPx, heightPx, maxPx: readMaxPx(gl) };
    });
  }, []);
  return size.value;
};

const toFirstTitle = ({ store, texts }: PanelContext, field: ReportedField | null): string => {
  if (field !== null) return field.name ?? texts.area.drawnArea;
  const { shown, picture } = store.read();
  return shown === null ? 'Swath' : titleOfShown(shown.sensor, bandsOfPicture(shown.sensor, picture), texts);
};

const ReportForm: FunctionComponent<DialogProps> = ({ field, onClose }) => {
  const context = usePanel();
  const { store, actions, texts } = context;
  const { report, animate } = texts;
  const indices = listIndices(store.read());
  const chosen = store.read().series.choice.indices[0] ?? 'NDVI';
  const title = useSignal(toFirstTitle(context, field));
  const format = useSignal<ReportFormat>('pdf');
  const scale = useSignal('2');
  const index = useSignal(indices.includes(chosen) ? chosen : (indices[0] ?? chosen));
  const step = useSignal<string | null>(null);
  const failure = useSignal<string | null>(null);
  const working = useRef(new AbortController());
  const size = useMapSize();
  useEffect(() => () => working.current.abort(), []);

  const save = async (): Promise<void> => {
    const { signal } = working.current;
    failure.value = null;
    const order = {
      title: title.value.trim() || toFirstTitle(context, field),
      format: format.value,
      scale: Number(scale.value),
      signal,
      onStep: (text: string) => {
        step.value = text;
      },
    };
    try {
      const file =
        field === null
          ? await makePicture(context, order)
          : await makeFieldReport(context, field, { ...order, index: index.value });
      if (signal.aborted) return;
      step.value = null;
      if (file === null) {
        failure.value = texts.series.nothingToMeasure.dataset;
        return;
      }
      const name = toFileName(order.title, 'swath', order.format);
      saveBlob(name, file);
      onClose();
      actions.report.showDone(animate.saved(name, formatBytes(file.size, texts.locale)));
    } catch (error) {
      if (signal.aborted) return;
      step.value = null;
      failure.value = report.failed(error instanceof Error ? error.message : String(error));
    }
  };

  const isBusy = step.value !== null;
  const name = field === null ? report.picture : report.field;
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void save();
      }}
    >
      <header>
        <h2 id="report-title">{name}</h2>
        <Button look="plain" icon="close" label={texts.frame.close} onClick={onClose} />
      </header>
      <p class="muted">{field === null ? report.pictureHint : report.fieldHint}</p>
      <fieldset class="film-choices" disabled={isBusy}>
        <FieldRow label={report.title}>
          {(id) => (
            <input
              id={id}
              type="text"
              maxLength={120}
              value={title.value}
              onInput={({ currentTarget }) => {
                title.value = currentTarget.value;
              }}
            />
          )}
        </FieldRow>
        <Segments
          name="report-format"
          legend={animate.format}
          choices={REPORT_FORMATS.map((value) => ({ value, title: value.toUpperCase() }))}
          value={format.value}
          onChoose={(value) => {
            format.value = value;
          }}
        />
        {field !== null && (
          <FieldRow label={texts.zones.index}>
            {(id) => (
              <Select
                id={id}
                value={index.value}
                choices={indices.map((value) => ({ value, title: value }))}
                onChoose={(value) => {
                  index.value = value;
                }}
              />
            )}
          </FieldRow>
        )}
        {field === null && size !== null && (
          <FieldRow label={report.size}>
            {(id) => (
              <Select
                id={id}
                value={scale.value}
                choices={SCALES.map((factor) => ({
                  value: String(factor),
                  title: `${factor} × (${animate.pixels(size.widthPx * factor)})`,
                  isDisabled: Math.max(size.widthPx, size.heightPx) * factor > size.maxPx,
                }))}
                onChoose={(value) => {
                  scale.value = value;
                }}
              />
            )}
          </FieldRow>
        )}
      </fieldset>
      {isBusy && (
        <div class="film-progress">
          <progress aria-label={name} />
          <Notice kind="hint">{step.value}</Notice>
        </div>
      )}
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy}>
          {animate.save}
        </button>
        <Button onClick={onClose}>{animate.cancel}</Button>
      </div>
    </form>
  );
};

/** Opens the form. */
export const openReportDialog = (context: PanelContext, field: ReportedField | null): void =>
  openDialog(context, 'report-title', (close) => <ReportForm field={field} onClose={close} />);
