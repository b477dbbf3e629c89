/** After signing up: the e-mail is on its way. The page goes on by itself once the link was opened, here or elsewhere. */
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useApp } from '../../app-context.ts';
import { deviceClock } from '../../store/clock.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useModel } from '../../store/use-model.ts';
import { Button, ButtonLink, Spinner } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { MailSent } from '../MailSent.tsx';
import { accountWords, resendFailed, verificationLead } from '../account-words.ts';
import { keepNext, loginPath } from '../sign-in/next-path.ts';
import { roomLinkOf, roomOf } from '../sign-in/next-room.ts';
import { RoomLine } from '../way-in/RoomFrame.tsx';
import { kindWords, waitingWords } from '../way-in/way-in-words.ts';
import { NumberLine } from './NumberLine.tsx';
import styles from './VerificationSent.module.css';
import { keepSignedUp, type SignedUp, waitForLink } from './signed-up.ts';

interface VerificationSentProps extends SignedUp {
  /** The path to open after signing in. */
  next: string;
  /** Back to the form. */
  onChange: () => void;
}

export function VerificationSent({ email, ticket, number, next, onChange }: VerificationSentProps) {
  const { callRoute } = useApp();
  const modals = useModals();
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const isOver = useGoingOn(email, ticket, next);
  const { room } = roomOf(next);

  async function resend(): Promise<void> {
    const answer = await callRoute('POST /api/accounts/resend-verification', { ticket, ...roomOf(next) });
    if (answer.ok) toast(accountWords.verificationResent);
    // The ticket is used up or expired, so the server does not know the address.
    else if (answer.error.code === 'auth/required') await modals.ok(accountWords.signUpAgain);
    else await modals.ok(resendFailed(answer.error));
  }

  return (
    <MailSent title={accountWords.verificationSent} lead={verificationLead.sent} email={email}>
      {room && <RoomLine kind={room.kind}>{kindWords[room.kind].next}</RoomLine>}
      <output className={styles.waiting}>
        {isOver ? (
          <span>{waitingWords.over}</span>
        ) : (
          <>
            <Spinner />
            <span>{waitingWords.goesOn}</span>
          </>
        )}
      </output>
      {!isOver && <NumberLine number={number} words={waitingWords.number(number)} />}
      <ButtonGroup>
        <ButtonLink href={loginPath(next)} variant={isOver ? 'primary' : undefined} block>
          {accountWords.goToLogin}
        </ButtonLink>
        <Button block busy={isBusy} onClick={() => run(resend)}>
          {accountWords.resendShort}
        </Button>
        <Button variant="ghost" block onClick={onChange}>
          {waitingWords.change}
        </Button>
      </ButtonGroup>
    </MailSent>
  );
}

/** Opens `next` once this browser is signed in. True when that can't happen any more. */
function useGoingOn(email: string, ticket: string, next: string): boolean {
  const { callRoute, session, taps } = useApp();
  const [, navigate] = useLocation();
  const [isOver, setIsOver] = useState(false);
  const waiting = useModel(useCallback(() => waitForLink(callRoute, ticket, deviceClock), [callRoute, ticket]));

  const goOn = useEffectEvent(async (isSignedIn: boolean) => {
    // Another tab of this browser may have been signed in by the same link.
    await session.takeSignIn();
    const now = session.session.get();
    const isOurs = now.status === 'signed-in' && (isSignedIn || now.user.email === email.toLowerCase());
    keepSignedUp(null);
    if (!isOurs) return setIsOver(true);
    keepNext('/');
    const room = roomLinkOf(next);
    // The way in says before the sign-up that it asks to come in.
    if (room !== null) taps.begin(room, now.user.uid);
    navigate(room ?? next, { replace: true });
  });
  useEffect(() => waiting?.status.subscribe(() => void goOn(waiting.status.get() === 'signed-in')), [waiting]);

  useEffect(() => {
    const wake = (): void => {
      if (document.visibilityState === 'visible') waiting?.wake();
    };
    document.addEventListener('visibilitychange', wake);
    return () => document.removeEventListener('visibilitychange', wake);
  }, [waiting]);
  return isOver;
}
