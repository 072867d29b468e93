/** The shapes of a file with several, to choose one from. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { areaM2, lengthM } from '../../shapes/geodesic.ts';
import type { Shape } from '../../shapes/shape.ts';
import type { Drawing } from '../../state/drawing.ts';
import { formatArea, formatLength } from '../../texts/format-measures.ts';
import { Button, Icon } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import type { PanelContext } from '../panel-context.ts';

/** A longer list is of no use to a reader; a program that cuts files is. */
const MAX_LISTED = 500;

const measure = (shape: Shape, { preferences: { units }, texts: { locale } }: PanelContext): string =>
  shape.kind === 'area'
    ? formatArea(areaM2(shape.outline), units, locale)
    : formatLength(lengthM(shape.positions), units, locale);

/** The list. */
export const OfferedShapes: FunctionComponent<{ readonly offered: NonNullable<Drawing['offered']> }> = ({
  offered,
}) => {
  const context = usePanel();
  const { actions, texts } = context;
  const words = texts.area;
  const chosen = useSignal<Shape | null>(null);
  useLayoutEffect(() => {
    chosen.value = null;
  }, [offered]);
  const { fileName, shapes } = offered;
  return (
    <section class="group">
      <div class="heading-row">
        <h3 class="ellipsis">{fileName}</h3>
        <Button look="plain" icon="close" label={words.cancel} onClick={actions.closeOffer} />
      </div>
      <p class="muted">{words.chooseOne(shapes.length)}</p>
      <ul class="offered">
        {shapes.slice(0, MAX_LISTED).map((shape, i) => (
          <li key={i}>
            <button
              type="button"
              aria-pressed={chosen.value === null ? undefined : chosen.value === shape}
              onClick={() => {
                actions.chooseShape(shape);
                chosen.value = shape;
              }}
            >
              <Icon name={shape.kind === 'area' ? 'polygon' : 'line'} />
              <span class="ellipsis">{shape.name ?? words.unnamed(i + 1)}</span>
              <span class="muted">{measure(shape, context)}</span>
            </button>
          </li>
        ))}
      </ul>
      {shapes.length > MAX_LISTED && <p class="muted small">{words.onlyFirst(MAX_LISTED)}</p>}
    </section>
  );
};
