/** On the home of a new user: three things to do first, each with its button. */
import { useId, useState } from 'react';
import { navigate, usePath } from '../store/address.ts';
import { useApp, useUser } from '../app-context.ts';
import { createCreateModel } from '../rooms/join/create-model.ts';
import { factsOf } from '../rooms/room-kinds.ts';
import { triedState } from '../store/first-track.ts';
import { deviceStorage } from '../store/lenient-storage.ts';
import { useBusy } from '../store/use-busy.ts';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { ChevronRightIcon } from '../ui/icons/inside-icons.tsx';
import { TileGrid } from '../ui/records/TileGrid.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import sheet from './FirstSteps.css?inline';
import { ownSheet } from '../ui/own-sheet.ts';
import { t } from '../language/t.ts';

const styles = ownSheet('start', sheet);
const hiddenOnThisDevice = 'tunemate/first-steps-hidden';

export function FirstSteps() {
  const [isHidden, setIsHidden] = useState(() => deviceStorage.getItem(hiddenOnThisDevice) !== null);
  const { isBusy, run } = useBusy();
  const tryNow = useTrying();
  const titleId = useId();
  if (isHidden) return null;
  const hide = (): void => {
    deviceStorage.setItem(hiddenOnThisDevice, '1');
    setIsHidden(true);
  };
  return (
    <section aria-labelledby={titleId}>
      <VisuallyHidden>
        <h2 id={titleId}>{t`Three things to do first`}</h2>
      </VisuallyHidden>
      <ol className={styles.steps}>
        <li className={styles.first} data-band="persimmon">
          <TileGrid code="6ADC1F" columns={6} className={styles.tiles} />
          <Words {...words.hear} />
          <Button variant="ink" busy={isBusy} onClick={() => run(tryNow)}>
            <span>{words.hear.press}</span>
            <ChevronRightIcon />
          </Button>
        </li>
        <li>
          <Words {...words.join} />
          <ButtonLink href="/join">{words.join.press}</ButtonLink>
        </li>
        <li>
          <Words {...words.invite} />
          <ButtonLink href="/create">{words.invite.press}</ButtonLink>
        </li>
      </ol>
      <Button variant="ghost" small className={styles.hide} onClick={hide}>
        {t`Hide these three`}
      </Button>
    </section>
  );
}

const Words = ({ title, what }: { title: string; what: string }) => (
  <>
    <h3>{title}</h3>
    <p>{what}</p>
  </>
);

/** Opens an audio room of one's own, in which the newest track of the library plays. */
function useTrying(): () => Promise<void> {
  const { connection } = useApp();
  const { name } = useUser();
  const modals = useModals();
  const [model] = useState(() => createCreateModel(connection, 'audio'));
  const address = usePath();
  return async () => {
    await model.create(words.roomName(name));
    const now = model.status.get();
    if (now.status === 'created') {
      // A user who is on another screen by now stays there; home lists the room.
      if (location.pathname === address) navigate(factsOf('audio').roomPath(now.code), { state: triedState });
    } else if (now.status === 'naming' && now.failure) await modals.ok(now.failure.message, { text: now.failure.text });
  };
}

const words = {
  hear: {
    title: t`Hear a room by yourself`,
    what: t`A room of your own opens, and a track of the library plays in it. Nobody else is there.`,
    press: t`Try it now`,
  },
  join: {
    title: t`Join a friend’s room`,
    what: t`Open their link, or type the six characters of the room.`,
    press: t`Type a code`,
  },
  invite: {
    title: t`Invite somebody`,
    what: t`Create a room and send its link. You decide who comes in.`,
    press: t`Create a room`,
  },
  /** Names may have 50 characters, rooms more. */
  roomName: (name: string) => t`Room of ${name}`,
} as const;
