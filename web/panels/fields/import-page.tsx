/** Importing a file: all of its shapes become fields, and what became of each row is told. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { makeLatest } from '../../actions/latest.ts';
import { toFailureOf } from '../../actions/report.ts';
import type { ImportReport, ReportedRow } from '../../api/fields.ts';
import { FIELD_ENDINGS } from '../file-uses.ts';
import { Button, FieldRow } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice, Section } from '../kit/parts.tsx';
import { useFields } from './field-context.ts';

/** A longer list is of no use to a reader. */
const MAX_ROWS = 100;

interface Importing {
  readonly fileName: string;
  /** `null` while the server does not say. */
  readonly progress: number | null;
}

const Rows: FunctionComponent<{ readonly title: string; readonly rows: readonly ReportedRow[] }> = ({
  title,
  rows,
}) => {
  const { words } = useFields();
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <ul class="field-report">
        {rows.slice(0, MAX_ROWS).map(({ row, id, text }) => (
          <li key={row}>
            <strong>
              {words.row(row)}
              {id !== null && ` (${id})`}
            </strong>{' '}
            {text}
          </li>
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p class="muted small">{words.onlyFirst(MAX_ROWS)}</p>}
    </Section>
  );
};

const Report: FunctionComponent<{ readonly report: ImportReport }> = ({ report }) => {
  const { words } = useFields();
  const { rows, created, updated, unchanged, refused, noted } = report;
  return (
    <div role="status">
      <p>{words.imported(rows, created, updated, unchanged, refused)}</p>
      <Rows title={words.rowsRefused} rows={noted.filter(({ isRefused }) => isRefused)} />
      <Rows title={words.rowsWarned} rows={noted.filter(({ isRefused }) => !isRefused)} />
    </div>
  );
};

/** The fields of the demo world, as the file that a user would bring. */
export const loadExample = async (): Promise<File> => {
  const { default: collection } = await import('./example-fields.json', { with: { type: 'json' } });
  return new File([JSON.stringify(collection)], 'example.geojson');
};

/** The page; `file` is imported at once. */
export const ImportPage: FunctionComponent = () => {
  const { actions } = usePanel();
  const model = useFields();
  const { words, page, brought } = model;
  const group = useSignal('');
  const importing = useSignal<Importing | null>(null);
  const report = useSignal<ImportReport | null>(null);
  const failure = useSignal<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(makeLatest());

  const bring = async (file: File, intoGroup: string | null): Promise<void> => {
    const abort = latest.current.start();
    importing.value = { fileName: file.name, progress: null };
    [report.value, failure.value] = [null, null];
    try {
      report.value = await model.calls.importFile(file, intoGroup, {
        signal: abort,
        onProgress(progress) {
          importing.value = { fileName: file.name, progress };
        },
      });
      actions.report.clear();
      void model.load().then(() => model.fit(model.fields.value.map(({ box }) => box)));
    } catch (error) {
      if (!abort.aborted) failure.value = toFailureOf(error).message;
    }
    importing.value = null;
  };
  useEffect(() => {
    const file = brought.value;
    brought.value = null;
    if (file !== null) void bring(file.file, file.group);
  }, [brought.value]);

  const now = importing.value;
  return (
    <>
      <h3>{words.import}</h3>
      <p class="muted small">{words.importHint}</p>
      <FieldRow label={words.importGroup}>
        {(id) => (
          <input
            id={id}
            maxLength={120}
            placeholder={words.importGroupHint}
            value={group.value}
            onInput={({ currentTarget }) => {
              group.value = currentTarget.value;
            }}
          />
        )}
      </FieldRow>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-hidden="true"
        accept={FIELD_ENDINGS.join()}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) void bring(file, group.value.trim() || null);
          // The same file can be chosen again after it was changed.
          currentTarget.value = '';
        }}
      />
      <div class="buttons">
        <Button
          look={report.value === null ? 'primary' : 'secondary'}
          icon="import"
          isDisabled={now !== null}
          onClick={() => input.current?.click()}
        >
          {words.choose}
        </Button>
        {report.value !== null && (
          <Button
            look="primary"
            onClick={() => {
              page.value = { kind: 'list' };
            }}
          >
            {words.showFields}
          </Button>
        )}
      </div>
      {now !== null && (
        <div role="status">
          <p>{words.importing(now.fileName)}</p>
          <progress
            aria-label={words.importing(now.fileName)}
            {...(now.progress === null ? {} : { value: now.progress })}
          />
        </div>
      )}
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
      {report.value !== null && <Report report={report.value} />}
    </>
  );
};
