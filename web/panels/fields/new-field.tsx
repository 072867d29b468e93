/** A new field: drawn on the map, or made of the area that is there. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { outlineOfBox } from '../../scenes/footprint.ts';
import { areaM2 } from '../../shapes/geodesic.ts';
import { formatArea } from '../../texts/format-measures.ts';
import type { Draw } from '../area/draw.ts';
import { startDraw } from '../area/draw.ts';
import { Button, Icon } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { useFields } from './field-context.ts';
import { FieldForm } from './field-form.tsx';

const TOOLS = ['polygon', 'rectangle', 'circle'] as const;

/** What to do with the tool in hand, and the ways out. */
export const DrawGuide: FunctionComponent = () => {
  const context = usePanel();
  const { actions, texts } = context;
  const tool = usePart(({ drawing }) => drawing.tool);
  const draw = useSignal<Draw | null>(null);
  useEffect(
    () =>
      void context.map.then(({ gl }) => {
        draw.value = startDraw(context, gl);
      }),
    [],
  );
  if (tool === null) return null;
  const isEditing = tool === 'edit-area';
  return (
    <div class="guide" role="status">
      <p>{texts.area.hints[tool]}</p>
      <p class="muted small keys">{isEditing ? texts.area.keysEditing : texts.area.keysDrawing}</p>
      <div class="pair">
        {tool === 'polygon' && (
          <Button look="primary" onClick={() => draw.value?.finish()}>
            {texts.area.finish}
          </Button>
        )}
        <Button look={isEditing ? 'primary' : 'secondary'} onClick={() => actions.setTool(null)}>
          {isEditing ? texts.area.done : texts.area.cancel}
        </Button>
      </div>
    </div>
  );
};

/** The page. */
export const NewField: FunctionComponent = () => {
  const { actions, texts, preferences } = usePanel();
  const model = useFields();
  const { words, page } = model;
  const area = usePart((state) => state.area);
  const bounds = usePart((state) => state.bounds);
  const tool = usePart(({ drawing }) => drawing.tool);
  const leave = (): void => {
    actions.setTool(null);
    page.value = { kind: 'list' };
  };
  return (
    <>
      <h3>{words.newField}</h3>
      <p class="muted small">{words.newHint}</p>
      <div class="tools">
        {TOOLS.map((one) => (
          <button
            key={one}
            type="button"
            class="tool"
            aria-pressed={tool === one}
            onClick={() => actions.setTool(tool === one ? null : one)}
          >
            <Icon name={one} />
            <span>{texts.area.tools[one]}</span>
          </button>
        ))}
        <button
          type="button"
          class="tool"
          onClick={() => {
            if (bounds !== null) actions.setArea({ outline: outlineOfBox(bounds), name: null });
          }}
        >
          <Icon name="fit" />
          <span>{words.useView}</span>
        </button>
      </div>
      <DrawGuide />
      {area !== null && tool === null && (
        <>
          <p>{formatArea(areaM2(area.outline), preferences.units, texts.locale)}</p>
          <FieldForm
            field={{ name: area.name ?? '', crop: null, group: null, sownOn: null }}
            onCancel={leave}
            onSave={async (said) => {
              const stored = await model.calls.store({ ...said, geometry: area.outline });
              model.keep(stored);
              actions.report.showDone(words.saved(stored.name));
              page.value = { kind: 'field', id: stored.id };
              void model.load();
            }}
          />
        </>
      )}
    </>
  );
};
