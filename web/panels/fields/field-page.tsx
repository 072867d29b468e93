/** One field: what is known of it, its curve, and what can be changed. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Field } from '../../api/fields.ts';
import { openFieldReport } from '../../report/open-report.ts';
import type { Area } from '../../state/drawing.ts';
import { formatDate } from '../../texts/format.ts';
import { formatArea } from '../../texts/format-measures.ts';
import { isEditable } from '../area/draw.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { useFields } from './field-context.ts';
import { FieldCurve } from './field-curve.tsx';
import { FieldForm } from './field-form.tsx';
import { formatValue } from './field-list.tsx';
import { DrawGuide } from './new-field.tsx';

const Facts: FunctionComponent<{ readonly field: Field }> = ({ field }) => {
  const { texts, preferences } = usePanel();
  const { words, rows, measuring } = useFields();
  const { locale } = texts;
  const row = rows.value.find((one) => one.field.id === field.id);
  const { index } = measuring.value;
  const facts: readonly (readonly [string, string | null])[] = [
    [words.area, formatArea(field.hectares * 10_000, preferences.units, locale)],
    [words.crop, field.crop],
    [words.group, field.group],
    [words.sownOn, field.sownOn === null ? null : formatDate(field.sownOn, locale)],
    [
      row?.last == null ? words.lastValue : words.valueOn(index, formatDate(row.last.date, locale)),
      row?.last == null ? null : formatValue(row.last.value, locale),
    ],
    [words.change, row?.change == null ? null : formatValue(row.change, locale, true)],
  ];
  return (
    <dl class="measures">
      {facts.map(([title, text]) =>
        text === null ? null : (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ),
      )}
    </dl>
  );
};

/** Saves or discards an outline that was edited on the map. */
const Outline: FunctionComponent<{ readonly field: Field; readonly stored: Area | null }> = ({
  field,
  stored,
}) => {
  const { actions } = usePanel();
  const model = useFields();
  const { words } = model;
  const area = usePart((state) => state.area);
  const tool = usePart(({ drawing }) => drawing.tool);
  if (stored === null || area === null || tool !== null || area === stored) return null;
  const save = async (): Promise<void> => {
    try {
      model.keep(await model.calls.change(field, { geometry: area.outline }));
      actions.report.showDone(words.saved(field.name));
      await model.load();
    } catch (error) {
      actions.report.fail(error);
    }
  };
  return (
    <div class="buttons">
      <Button look="primary" onClick={() => void save()}>
        {words.saveOutline}
      </Button>
      <Button onClick={() => actions.setArea(stored)}>{words.keepOutline}</Button>
    </div>
  );
};

/** What the owner of a field does with it. */
const Owner: FunctionComponent<{ readonly field: Field; readonly stored: Area | null }> = ({
  field,
  stored,
}) => {
  const { actions } = usePanel();
  const model = useFields();
  const { words, page } = model;
  const doing = useSignal<'edit' | 'remove' | null>(null);
  const remove = async (): Promise<void> => {
    try {
      await model.calls.remove(field.id);
      actions.report.showDone(words.removed(field.name));
      model.drop(field.id);
      page.value = { kind: 'list' };
      void model.load();
    } catch (error) {
      actions.report.fail(error);
    }
  };
  if (doing.value === 'edit')
    return (
      <FieldForm
        field={field}
        onCancel={() => {
          doing.value = null;
        }}
        onSave={async (said) => {
          model.keep(await model.calls.change(field, said));
          doing.value = null;
        }}
      />
    );
  if (doing.value === 'remove')
    return (
      <div class="guide" role="alertdialog" aria-label={words.remove}>
        <p>{words.removeSure(field.name)}</p>
        <div class="buttons">
          <Button look="primary" onClick={() => void remove()}>
            {words.removeYes}
          </Button>
          <Button
            onClick={() => {
              doing.value = null;
            }}
          >
            {words.cancel}
          </Button>
        </div>
      </div>
    );
  return (
    <>
      <div class="buttons">
        <Button
          icon="edit"
          onClick={() => {
            doing.value = 'edit';
          }}
        >
          {words.edit}
        </Button>
        <Button
          icon="polygon"
          isDisabled={stored === null || !isEditable(stored)}
          onClick={() => actions.setTool('edit-area')}
        >
          {words.editOutline}
        </Button>
        <Button
          icon="bell"
          onClick={() => {
            page.value = { kind: 'alerts', fieldId: field.id };
          }}
        >
          {words.alerts.ofField}
        </Button>
        <Button
          icon="remove"
          onClick={() => {
            doing.value = 'remove';
          }}
        >
          {words.remove}
        </Button>
      </div>
      <DrawGuide />
      <Outline field={field} stored={stored} />
    </>
  );
};

/** The page of a field; its outline is the area of the page as long as it is open. */
export const FieldPage: FunctionComponent<{ readonly field: Field }> = ({ field }) => {
  const context = usePanel();
  const { actions } = context;
  const model = useFields();
  const { words, mayChange } = model;
  const stored = useSignal<Area | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    stored.value = null;
    model
      .showField(field, abort.signal)
      .then((area) => {
        if (!abort.signal.aborted) stored.value = area;
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) actions.report.fail(error);
      });
    return () => abort.abort();
  }, [field.id, field.version]);
  return (
    <>
      <div class="heading-row">
        <h3 class="ellipsis">{field.name}</h3>
        <Button look="link" onClick={() => model.fit([field.box])}>
          {words.fit}
        </Button>
      </div>
      <Facts field={field} />
      <FieldCurve field={field} />
      <div class="buttons">
        <Button
          icon="save"
          isDisabled={stored.value === null}
          onClick={() => {
            if (stored.value !== null)
              openFieldReport(context, { outline: stored.value.outline, name: field.name });
          }}
        >
          {context.texts.report.field}…
        </Button>
      </div>
      {mayChange.value && <Owner field={field} stored={stored.value} />}
    </>
  );
};
