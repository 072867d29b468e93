/** The chosen area and the line: a name, measures, and what can be done with them. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useRef } from 'preact/hooks';
import { openFieldReport } from '../../report/open-report.ts';
import { areaM2, lengthM, perimeterM } from '../../shapes/geodesic.ts';
import { toFileName, toGeoJson } from '../../shapes/geojson-file.ts';
import { toLineText, toOutlineText } from '../../shapes/shape-text.ts';
import type { Area, Line } from '../../state/drawing.ts';
import { formatArea, formatLength } from '../../texts/format-measures.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import type { Fact } from '../kit/parts.tsx';
import { Facts } from '../kit/parts.tsx';
import { saveGeoJson } from '../save-file.ts';
import { isEditable } from './draw.ts';
import { Profile } from './profile.tsx';
import { ToolButton } from './tools.tsx';

interface CardProps {
  readonly kind: 'area' | 'line';
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly canEdit: boolean;
  readonly onSave: () => void;
  readonly onRemove: () => void;
  readonly children: ComponentChildren;
}

/** What both have in common. */
const ShapeCard: FunctionComponent<CardProps> = ({
  kind,
  title,
  facts,
  canEdit,
  onSave,
  onRemove,
  children,
}) => {
  const {
    actions,
    texts: { area: words },
  } = usePanel();
  const tool = `edit-${kind}` as const;
  const isEdited = usePart(({ drawing }) => drawing.tool === tool);
  const remove = (): void => {
    actions.setTool(null);
    onRemove();
  };
  return (
    <section class="group shape-card" id={`${kind}-card`} aria-labelledby={`${kind}-title`}>
      <h3 class="ellipsis" id={`${kind}-title`}>
        {title}
      </h3>
      <Facts facts={facts} />
      <div class="tools">
        <ToolButton
          icon="edit"
          title={words.edit}
          isOn={isEdited}
          isDisabled={!canEdit}
          onClick={() => actions.setTool(isEdited ? null : tool)}
        />
        <ToolButton icon="fit" title={words.fit} onClick={() => actions.fitShape(kind)} />
        <ToolButton icon="save" title={words.save} onClick={onSave} />
        <ToolButton icon="remove" title={words.remove} onClick={remove} />
      </div>
      {children}
    </section>
  );
};

const Clip: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const isClipped = usePart(({ picture }) => picture.clip !== null);
  /** What was chosen, until the server has the area; `null` otherwise. */
  const wanted = useSignal<boolean | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const clip = (isOn: boolean): void => {
    wanted.value = isOn;
    void actions.clipToArea(isOn).finally(() => {
      wanted.value = null;
      // A control that was disabled for a moment loses the keyboard.
      queueMicrotask(() => {
        if (document.activeElement === document.body) input.current?.focus();
      });
    });
  };
  return (
    <label class="check">
      <input
        ref={input}
        type="checkbox"
        checked={wanted.value ?? isClipped}
        disabled={wanted.value !== null}
        onChange={({ currentTarget }) => clip(currentTarget.checked)}
      />
      {texts.area.clip}
    </label>
  );
};

/** The card of the area. */
export const AreaCard: FunctionComponent<{ readonly area: Area }> = ({ area }) => {
  const context = usePanel();
  const {
    actions,
    texts: { area: words, report, locale },
    preferences: { units },
  } = context;
  const { outline, name } = area;
  const canEdit = isEditable(area);
  return (
    <ShapeCard
      kind="area"
      title={name ?? words.drawnArea}
      facts={[
        [words.size, formatArea(areaM2(outline), units, locale)],
        [words.perimeter, formatLength(perimeterM(outline), units, locale)],
      ]}
      canEdit={canEdit}
      onSave={() => saveGeoJson(toFileName(name, 'area'), toGeoJson(outline, name))}
      onRemove={() => actions.setArea(null)}
    >
      {!canEdit && <p class="muted small">{words.notEditable}</p>}
      {toOutlineText(outline) === null && <p class="muted small">{words.tooLong}</p>}
      <Clip />
      <Button icon="find" onClick={() => void actions.searchArea()}>
        {words.search}
      </Button>
      <Button icon="save" onClick={() => openFieldReport(context, area)}>
        {report.field}…
      </Button>
    </ShapeCard>
  );
};

/** The card of the line, with the ground along it. */
export const LineCard: FunctionComponent<{ readonly line: Line }> = ({ line }) => {
  const {
    actions,
    texts: { area: words, locale },
    preferences: { units },
  } = usePanel();
  const { positions, name } = line;
  const save = (): void => {
    const geometry = { type: 'LineString', coordinates: positions } as const;
    saveGeoJson(toFileName(name, 'line'), toGeoJson(geometry, name));
  };
  return (
    <ShapeCard
      kind="line"
      title={name ?? words.drawnLine}
      facts={[[words.length, formatLength(lengthM(positions), units, locale)]]}
      canEdit
      onSave={save}
      onRemove={() => actions.setLine(null)}
    >
      {toLineText(positions) === null && <p class="muted small">{words.tooLong}</p>}
      <Profile line={line} />
    </ShapeCard>
  );
};
