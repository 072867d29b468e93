/** Compare: two scenes next to each other, or all dates one after the other. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { COMPARE_MODES } from '../../state/comparison.ts';
import { Button, Icon, Segments } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Empty } from '../kit/parts.tsx';
import { DifferenceChoice } from './difference-choice.tsx';
import { SideChoice } from './side-choice.tsx';

const SINGLE = 'single';
const MODES = [SINGLE, ...COMPARE_MODES] as const;

const Modes: FunctionComponent = () => {
  const {
    store,
    actions,
    texts: { compare },
  } = usePanel();
  const mode = usePart(({ comparison }) => comparison?.mode ?? SINGLE);
  // Without another scene nothing is compared; rendering again shows what is chosen.
  const choices = useSignal(0);
  choices.value;
  return (
    <Segments<(typeof MODES)[number]>
      name="compare-mode"
      legend={compare.mode}
      choices={MODES.map((value) => ({ value, title: compare.modes[value] }))}
      value={mode}
      onChoose={(chosen) => {
        if (chosen === SINGLE) actions.leaveComparison();
        else if (store.read().comparison === null) actions.startComparison(chosen);
        else actions.changeComparison({ mode: chosen });
        choices.value++;
      }}
    />
  );
};

const Sides: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const comparison = usePart((state) => state.comparison);
  if (comparison === null) return <p class="muted small">{texts.compare.hint}</p>;
  return (
    <div class="sides">
      <SideChoice name="left" comparison={comparison} />
      <SideChoice name="right" comparison={comparison} />
      <button type="button" class="secondary swap" onClick={actions.swapSides}>
        <Icon name="swap" />
        {texts.compare.swap}
      </button>
      {comparison.mode === 'difference' && <DifferenceChoice comparison={comparison} />}
    </div>
  );
};

const FilmSection: FunctionComponent = () => {
  const {
    actions,
    texts: { animate },
  } = usePanel();
  const isOn = usePart(({ animation }) => animation !== null);
  return (
    <section class="film-section">
      <h3>{animate.title}</h3>
      <p class="muted small">{animate.hint}</p>
      <Button
        icon={isOn ? 'close' : 'play'}
        onClick={() => (isOn ? actions.leaveAnimation() : actions.startAnimation())}
      >
        {isOn ? animate.close : animate.start}
      </Button>
    </section>
  );
};

/** The panel. */
export const Compare: FunctionComponent = () => {
  const { texts } = usePanel();
  const isNothing = usePart(({ shown }) => shown === null);
  if (isNothing) return <Empty text={texts.compare.nothing} />;
  return (
    <div class="compare">
      <Modes />
      <Sides />
      <FilmSection />
    </div>
  );
};
