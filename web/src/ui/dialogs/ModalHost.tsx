/** Holds the queue of modals and shows the first. Mounted once, around all screens. */
import { useMemo, useRef, useState } from 'react';
import { ConfirmModal } from './ConfirmModal.tsx';
import { OkModal } from './OkModal.tsx';
import { ModalsContext, type ConfirmRequest, type Modals, type OkOptions } from './modals.ts';
import type { Elements } from '../OwnText.tsx';

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
      {children}
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
