/** How much of the scene covers what lies below it. */
import type { FunctionComponent } from 'preact';
import { toPanel, usePanel, usePart } from '../kit/panel.tsx';
import type { PanelContext } from '../panel-context.ts';

interface OpacityProps {
  readonly id: string;
  readonly label: string;
}

const Opacity: FunctionComponent<OpacityProps> = ({ id, label }) => {
  const { actions } = usePanel();
  const percent = Math.round(usePart(({ opacity }) => opacity) * 100);
  return (
    <div class="row">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={1}
        value={percent}
        onInput={({ currentTarget }) => actions.setOpacity(Number(currentTarget.value) / 100)}
      />
      <output for={id}>{percent} %</output>
    </div>
  );
};

/** Builds a slider; several may show the same opacity. */
export const makeOpacity = (context: PanelContext, props: OpacityProps): HTMLElement =>
  toPanel(() => <Opacity {...props} />)(context);
