/** What a stranger sees who opens a room's link: which kind of room it is, what Tunemate is, and one thing to do. */
import { useEffect, useEffectEvent } from 'react';
import { useApp } from '../../app-context.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { signUpHere } from '../account-words.ts';
import { signUpPath } from '../sign-in/next-path.ts';
import { sharedRoom } from '../sign-in/next-room.ts';
import { RoomFrame } from './RoomFrame.tsx';
import styles from './WayIn.module.css';
import { kindWords, wayInWords } from './way-in-words.ts';
import { t } from '../../language/t.ts';

interface WayInProps {
  /** The path to open after signing in. */
  next: string;
  onSignIn: () => void;
}

/** The link says the kind and the code. The room's name is for the people who are let in. */
export function WayIn({ next, onSignIn }: WayInProps) {
  const room = sharedRoom(next);
  const isWrong = room === undefined;
  const giveWay = useEffectEvent(onSignIn);
  useEffect(() => {
    if (isWrong) giveWay();
  }, [isWrong]);
  const signUp = useReadable(useApp().session.config)?.signUp ?? 'open';
  if (room === undefined) return null;
  const { title, what } = kindWords[room.kind];
  const isOpen = signUp === 'open';
  return (
    <RoomFrame room={room} saysKind>
      <h1>{title}</h1>
      <p className="lead">{what}</p>
      {isOpen ? (
        <ol className={styles.steps}>
          {wayInWords.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ) : (
        <p>{signUpHere[signUp]}</p>
      )}
      <ButtonGroup>
        {isOpen && (
          <ButtonLink href={signUpPath(next)} variant="primary" block>
            {t`Create an account`}
          </ButtonLink>
        )}
        <Button variant={isOpen ? 'ghost' : 'primary'} block onClick={onSignIn}>
          {t`I have an account`}
        </Button>
      </ButtonGroup>
    </RoomFrame>
  );
}
