/** Holds the queue of modals and shows the first. Mounted once, around all screens. */
import { useMemo, useRef, useState } from 'react';
import { ModalsContext, type ConfirmRequest, type Modals, type OkOptions } from './modals.ts';
import type { Elements } from '../OwnText.tsx';
import { Button } from '../buttons/Button.tsx';
import { IsAskedContext } from '../feedback/Waiting.tsx';
import { ModalCard } from './ModalCard.tsx';
import { t } from '../../language/t.ts';

type Entry =
  | { type: 'ok'; key: number; message: string; options: OkOptions; settle: () => void }
  | { type: 'confirm'; key: number; request: ConfirmRequest; settle: (confirmed: boolean) => void };

type NewEntry = Entry extends infer One ? (One extends Entry ? Omit<One, 'key'> : never) : never;

export function ModalHost({ children }: { children: Elements }) {
  const [queue, setQueue] = useState<readonly Entry[]>([]);
  const lastKey = useRef(0);
  const modals = useMemo<Modals>(() => {
    const push = (entry: NewEntry) => {
      lastKey.current += 1;
      const keyed = { ...entry, key: lastKey.current };
      setQueue((before) => [...before, keyed]);
    };
    return {
      ok: (message, options = {}) => new Promise((settle) => push({ type: 'ok', message, options, settle })),
      confirm: (request) => new Promise((settle) => push({ type: 'confirm', request, settle })),
    };
  }, []);

  const current = queue[0];
  const drop = () => setQueue((before) => before.slice(1));
  return (
    <ModalsContext value={modals}>
      <IsAskedContext value={current !== undefined}>{children}</IsAskedContext>
      {current?.type === 'ok' && (
        <OkModal
          key={current.key}
          message={current.message}
          {...current.options}
          onOk={() => {
            drop();
            current.settle();
          }}
        />
      )}
      {current?.type === 'confirm' && (
        <ConfirmModal
          key={current.key}
          {...current.request}
          onAnswer={(confirmed) => {
            drop();
            current.settle(confirmed);
          }}
        />
      )}
    </ModalsContext>
  );
}

interface ConfirmModalProps extends ConfirmRequest {
  /** Escape means Cancel. */
  onAnswer: (confirmed: boolean) => void;
}

/** A confirmation before an action that is hard to undo. Cancel comes first and gets the focus. */
function ConfirmModal({ question, consequence, action, danger, band, onAnswer }: ConfirmModalProps) {
  return (
    <ModalCard title={question} text={consequence} band={band} onCancel={() => onAnswer(false)}>
      <Button data-first-focus onClick={() => onAnswer(false)}>
        {t`Cancel`}
      </Button>
      <Button variant={danger ? 'dangerFill' : 'primary'} onClick={() => onAnswer(true)}>
        {action}
      </Button>
    </ModalCard>
  );
}

interface OkModalProps extends OkOptions {
  message: string;
  /** Called for Escape too. */
  onOk: () => void;
}

/** A message that blocks until it is acknowledged. */
function OkModal({ message, text, art, band, onOk }: OkModalProps) {
  return (
    <ModalCard title={message} text={text} art={art} band={band} onCancel={onOk}>
      <Button variant="primary" data-first-focus onClick={onOk}>
        {t`OK`}
      </Button>
    </ModalCard>
  );
}
