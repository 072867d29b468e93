/** The tools: what to draw, how, and one step back. */
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { outlineOfBox } from '../../scenes/footprint.ts';
import type { Tool } from '../../state/drawing.ts';
import { bringFile } from '../bring-file.ts';
import { AREA_ENDINGS } from '../file-uses.ts';
import { Button, Icon } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { isTyping } from '../shortcuts.ts';
import type { Draw } from './draw.ts';
import { startDraw } from './draw.ts';

const DRAWN = ['polygon', 'rectangle', 'circle', 'line'] as const;

interface ToolButtonProps {
  readonly icon: string;
  readonly title: string;
  /** For a tool that is in hand until it is put down. */
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

/** A button of a row: an icon over a word. */
export const ToolButton: FunctionComponent<ToolButtonProps> = ({
  icon,
  title,
  isOn,
  isDisabled = false,
  onClick,
}) => (
  <button type="button" class="tool" aria-pressed={isOn} disabled={isDisabled} onClick={onClick}>
    <Icon name={icon} />
    <span>{title}</span>
  </button>
);

const ImportButton: FunctionComponent = () => {
  const context = usePanel();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="import">
      <Button icon="import" onClick={() => input.current?.click()}>
        {context.texts.area.importFile}
      </Button>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-hidden="true"
        accept={[...AREA_ENDINGS, 'application/geo+json'].join()}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) void bringFile(file, context);
          // The same file can be chosen again after it was changed.
          currentTarget.value = '';
        }}
      />
    </div>
  );
};

/** The rectangle of what the map shows: an area without a pointer. */
const UseViewButton: FunctionComponent = () => {
  const { store, actions, texts } = usePanel();
  const useView = (): void => {
    const { bounds } = store.read();
    if (bounds === null) return;
    actions.setArea({ outline: outlineOfBox(bounds), name: null });
  };
  return (
    <Button icon="fit" onClick={useView}>
      {texts.area.useView}
    </Button>
  );
};

interface GuideProps {
  readonly tool: Tool;
  readonly onFinish: () => void;
}

/** What to do with the tool in hand. */
const Guide: FunctionComponent<GuideProps> = ({ tool, onFinish }) => {
  const {
    actions,
    texts: { area: words },
  } = usePanel();
  const isEditing = tool === 'edit-area' || tool === 'edit-line';
  const putDown = (): void => actions.setTool(null);
  return (
    <>
      <p>{words.hints[tool]}</p>
      <p class="muted small keys">{isEditing ? words.keysEditing : words.keysDrawing}</p>
      <div class="pair">
        {/* Two clicks are a rectangle or a circle; there is nothing else to finish. */}
        {(tool === 'polygon' || tool === 'line') && (
          <Button look="primary" onClick={onFinish}>
            {words.finish}
          </Button>
        )}
        {isEditing ? (
          <Button look="primary" onClick={putDown}>
            {words.done}
          </Button>
        ) : (
          <Button onClick={putDown}>{words.cancel}</Button>
        )}
      </div>
    </>
  );
};

/** Steps back and forth; keys do the same while the panel is open. */
const useSteps = (draw: { readonly current: Draw | null }) => {
  const { store, actions } = usePanel();
  const undo = (): void => {
    if (draw.current?.undoPoint() !== true) actions.undoShapes();
  };
  const redo = (): void => {
    if (draw.current?.redoPoint() !== true) actions.redoShapes();
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
      const isRedo = (isUndo && event.shiftKey) || (event.ctrlKey && event.key.toLowerCase() === 'y');
      if (store.read().panel !== 'area' || isTyping(event.target) || !(isUndo || isRedo)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      if (isRedo) redo();
      else undo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return { undo, redo };
};

/** The tools; drawing starts once the map is there. */
export const Tools: FunctionComponent = () => {
  const context = usePanel();
  const { actions, texts, map } = context;
  const words = texts.area;
  const { tool: inHand, past, future } = usePart((state) => state.drawing);
  const draw = useRef<Draw | null>(null);
  useEffect(() => {
    void map.then(({ gl }) => {
      draw.current = startDraw(context, gl);
    });
  }, []);
  const { undo, redo } = useSteps(draw);
  return (
    <section class="group">
      <div class="heading-row">
        <h3>{words.draw}</h3>
        <div>
          <Button
            look="plain"
            icon="undo"
            label={words.undo}
            hint={words.undo}
            isDisabled={past.length === 0 && inHand === null}
            onClick={undo}
          />
          <Button
            look="plain"
            icon="redo"
            label={words.redo}
            hint={words.redo}
            isDisabled={future.length === 0 && inHand === null}
            onClick={redo}
          />
        </div>
      </div>
      <div class="tools">
        {DRAWN.map((tool) => (
          <ToolButton
            key={tool}
            icon={tool}
            title={words.tools[tool]}
            isOn={tool === inHand}
            onClick={() => actions.setTool(tool === inHand ? null : tool)}
          />
        ))}
      </div>
      <div class="guide" role="status" hidden={inHand === null}>
        {inHand !== null && <Guide tool={inHand} onFinish={() => draw.current?.finish()} />}
      </div>
      <div class="pair">
        <ImportButton />
        <UseViewButton />
      </div>
      <p class="muted small">{words.importHint}</p>
    </section>
  );
};
