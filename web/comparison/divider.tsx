/** What lies over two maps: what is on which half, and the divider of a swipe, dragged by mouse or finger, or moved by keys. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Icon } from '../panels/kit/controls.tsx';
import { usePanel, usePart } from '../panels/kit/panel.tsx';
import { byId } from '../panels/page.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import { titleOfShown } from '../scenes/titles.ts';
import type { Comparison, SideName } from '../state/comparison.ts';
import { formatDate } from '../texts/format.ts';

/** How far a key moves the divider, in parts of the map. */
const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.02,
  ArrowDown: -0.02,
  ArrowRight: 0.02,
  ArrowUp: 0.02,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

const toPart = (part: number): number => Math.min(1, Math.max(0, Math.round(part * 100) / 100));

interface LabelProps {
  readonly name: SideName;
  readonly comparison: Comparison;
  /** The part of the width that the half has: a label reaches not over the divider. */
  readonly part: number;
}

const SideLabel: FunctionComponent<LabelProps> = ({ name, comparison, part }) => {
  const { texts } = usePanel();
  const { scene, picture } = comparison[name];
  return (
    <div class={`side-half side-${name}`} style={{ width: `${part * 100}%` }}>
      <p class="side-label">
        <strong>{formatDate(scene.date, texts.locale)}</strong>
        <span class="side-title">
          {titleOfShown(scene.sensor, bandsOfPicture(scene.sensor, picture), texts)}
        </span>
      </p>
    </div>
  );
};

interface HandleProps {
  readonly split: number;
  /** Called with every step of a drag; the state follows its end. */
  readonly onDrag: (split: number | null) => void;
}

const SwipeHandle: FunctionComponent<HandleProps> = ({ split, onDrag }) => {
  const { actions, texts } = usePanel();
  const rest = (): void => {
    actions.changeComparison({ split });
    onDrag(null);
  };
  return (
    <div
      class="swipe-handle"
      role="slider"
      tabIndex={0}
      aria-label={texts.compare.divider}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(split * 100)}
      style={{ left: `${split * 100}%` }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const { left, width } = byId('stage').getBoundingClientRect();
        onDrag(toPart((event.clientX - left) / width));
      }}
      onPointerUp={rest}
      onPointerCancel={rest}
      onKeyDown={(event) => {
        const step = KEY_STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        actions.changeComparison({ split: toPart(split + step) });
      }}
    >
      <span>
        <Icon name="swipe" />
      </span>
    </div>
  );
};

/** Cuts the second map off where the divider is. */
export const Divider: FunctionComponent = () => {
  const comparison = usePart((state) => state.comparison);
  const dragged = useSignal<number | null>(null);
  const isSwipe = comparison?.mode === 'swipe';
  const split = isSwipe ? (dragged.value ?? toPart(comparison.split)) : 0.5;
  useLayoutEffect(() => {
    byId('second-map').style.clipPath = isSwipe ? `inset(0 0 0 ${split * 100}%)` : '';
  }, [isSwipe, split]);
  if (comparison === null) return null;
  return (
    <>
      {comparison.mode !== 'difference' && (
        <>
          <SideLabel name="left" comparison={comparison} part={split} />
          <SideLabel name="right" comparison={comparison} part={1 - split} />
        </>
      )}
      {isSwipe && (
        <SwipeHandle
          split={split}
          onDrag={(part) => {
            dragged.value = part;
          }}
        />
      )}
    </>
  );
};
