/** Shown in the frame while the picture is in its own window. Loaded with the first film. */
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { classNames } from '../../ui/class-names.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import state from '../../ui/feedback/State.module.css';
import { PictureInPictureIcon } from '../../ui/icons/film-icons.tsx';
import { pictureWindowLabel, togglePictureWindow } from './screen-modes.ts';
import styles from './PlayerFrame.module.css';
import type { PagePlayer } from '../players/page-player.ts';
import { t } from '../../language/t.ts';

export function PictureAway({ stage }: { stage: PagePlayer }) {
  const isAway = useIsInWindow(stage);
  if (!isAway) return null;
  const bringBack = async (): Promise<void> => {
    await togglePictureWindow(stage);
    // This button is gone by then; the one that opened the window still exists.
    document.querySelector<HTMLElement>(`[aria-label="${pictureWindowLabel}"]`)?.focus();
  };
  return (
    <div className={classNames(styles.sleeve, styles.audioOnly)}>
      <div className={state.state}>
        <PictureInPictureIcon size={32} />
        <output>
          <strong>{t`The picture is in its own window`}</strong>
        </output>
        <Button small onClick={() => void bringBack()}>
          {t`Bring it back`}
        </Button>
      </div>
    </div>
  );
}

function useIsInWindow(stage: PagePlayer): boolean {
  const { element } = stage;
  const subscribe = useCallback(
    (onChange: () => void) => {
      for (const name of changes) element.addEventListener(name, onChange);
      return () => {
        for (const name of changes) element.removeEventListener(name, onChange);
      };
    },
    [element],
  );
  const isOut = useSyncExternalStore(subscribe, () => element.contains(document.pictureInPictureElement));
  // Rerenders when the picture moves to the other element.
  useReadable(stage.picture);
  const isLeft = isOut && isHidden(document.pictureInPictureElement);
  // The next film plays on the other element: a window with the end of the last one is closed.
  useEffect(() => {
    if (isLeft) void togglePictureWindow(stage);
  }, [isLeft, stage]);
  return isOut && !isLeft;
}

const changes = ['enterpictureinpicture', 'leavepictureinpicture'];
const isHidden = (element: Element | null): boolean => element?.hasAttribute('hidden') ?? false;
