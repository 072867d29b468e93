/** How much of the scene covers what lies below it. */
import type { FunctionComponent } from 'preact';
import { usePanel, usePart } from '../kit/panel.tsx';

interface OpacityProps {
  readonly id: string;
  readonly label: string;
}

/** A slider; several may show the same opacity. */
export const Opacity: FunctionComponent<OpacityProps> = ({ id, label }) => {
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
