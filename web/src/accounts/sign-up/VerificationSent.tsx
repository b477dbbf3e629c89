/** After signing up: the e-mail is on its way, shown here, or an operator is asked. The page goes on by itself. */
import type { ShownMail } from '@tunemate/protocol';
import { useState, useCallback, useEffect, useEffectEvent } from 'react';
import { useApp } from '../../app-context.ts';
import { t } from '../../language/t.ts';
import { navigate } from '../../store/address.ts';
import { deviceClock } from '../../store/clock.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useModel } from '../../store/use-model.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button, ButtonLink, Spinner } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { Poster } from '../../ui/layout/Poster.tsx';
import type { Elements } from '../../ui/OwnText.tsx';
import { accountWords, resendFailed, verificationLead } from '../account-words.ts';
import { MailSent, NumberLine } from '../MailSent.tsx';
import { keepNext, loginPath } from '../sign-in/next-path.ts';
import { roomLinkOf, roomOf } from '../sign-in/next-room.ts';
import { RoomLine } from '../way-in/RoomFrame.tsx';
import { entriesLeft } from '../way-in/SignUpSteps.tsx';
import { kindWords } from '../way-in/way-in-words.ts';
import { keepSignedUp, type SignedUp, waitForLink } from './signed-up.ts';
import styles from './VerificationSent.module.css';

const NoMail = lazyPart(async () => (await import('./NoMail.tsx')).NoMail);
const RunServer = lazyPart(async () => (await import('./NoMail.tsx')).RunServer);

interface VerificationSentProps {
  signedUp: SignedUp;
  /** The path to open after signing in. */
  next: string;
  /** Back to the form. */
  onChange: () => void;
  /** A newer mail, where this page shows it itself. */
  onResent: (mail: ShownMail | undefined) => void;
}

export function VerificationSent({ signedUp, next, onChange, onResent }: VerificationSentProps) {
  const { callRoute, session } = useApp();
  const config = useReadable(session.config);
  const modals = useModals();
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const { email, ticket, mail } = signedUp;
  const status = useGoingOn(email, ticket, next);
  const { room } = roomOf(next);

  async function resend(): Promise<void> {
    const answer = await callRoute('POST /api/accounts/resend-verification', { ticket, ...roomOf(next) });
    if (answer.ok) {
      onResent(answer.value.mail);
      toast(config?.noMail === 'elsewhere' ? t`Asked again` : accountWords.verificationResent);
    }
    // The ticket is used up or expired, so the server does not know the address.
    else if (answer.error.code === 'auth/required')
      void modals.ok(t`Please sign up again to receive a verification email.`);
    else void modals.ok(resendFailed(answer.error));
  }

  const roomLine = room && <RoomLine kind={room.kind}>{kindWords[room.kind].next}</RoomLine>;
  const sent = { signedUp, status, next, onChange, isResending: isBusy, onResend: () => run(resend), room: roomLine };
  const hasNoMail = config?.noMail !== undefined;
  return (
    <Poster line={hasNoMail && mail === undefined ? waitingWords.almostIn : accountWords.tagLine}>
      {hasNoMail ? <NoMail {...sent} /> : <Mailed {...sent} />}
      {config?.needsOperator && mail === undefined && status === 'waiting' && <RunServer ticket={ticket} />}
    </Poster>
  );
}

interface MailedProps {
  signedUp: SignedUp;
  status: 'waiting' | 'refused' | 'over';
  next: string;
  onChange: () => void;
  isResending: boolean;
  onResend: () => void;
  room: Elements;
}

function Mailed({ signedUp: { email, number }, status, next, onChange, isResending, onResend, room }: MailedProps) {
  const isOver = status !== 'waiting';
  return (
    <MailSent title={accountWords.verificationSent} lead={verificationLead.sent} email={email}>
      {room}
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
        <Button block busy={isResending} onClick={onResend}>
          {accountWords.resendShort}
        </Button>
        <Button variant="ghost" block onClick={onChange}>
          {t`Change the email`}
        </Button>
      </ButtonGroup>
    </MailSent>
  );
}

/** Opens `next` once this browser is signed in. Answers when that can't happen any more. */
function useGoingOn(email: string, ticket: string, next: string): MailedProps['status'] {
  const { callRoute, session, taps } = useApp();
  const [ended, setEnded] = useState<MailedProps['status']>('waiting');
  const waiting = useModel(useCallback(() => waitForLink(callRoute, ticket, deviceClock), [callRoute, ticket]));

  const goOn = useEffectEvent(async (how: 'signed-in' | 'refused' | 'over') => {
    // Another tab of this browser may have been signed in by the same link.
    await session.takeSignIn();
    await entriesLeft();
    const now = session.session.get();
    const isOurs = now.status === 'signed-in' && (how === 'signed-in' || now.user.email === email.toLowerCase());
    keepSignedUp(null);
    if (!isOurs) return setEnded(how === 'refused' ? 'refused' : 'over');
    keepNext('/');
    const room = roomLinkOf(next);
    // The way in says before the sign-up that it asks to come in.
    if (room !== null) taps.begin(room, now.user.uid);
    navigate(room ?? next, { replace: true });
  });
  useEffect(() => {
    if (waiting === null) return undefined;
    const look = (): void => {
      const status = waiting.status.get();
      if (status !== 'waiting') void goOn(status);
    };
    // The answer may have come before this effect.
    look();
    return waiting.status.subscribe(look);
  }, [waiting]);

  useEffect(() => {
    const wake = (): void => {
      if (document.visibilityState === 'visible') waiting?.wake();
    };
    document.addEventListener('visibilitychange', wake);
    return () => document.removeEventListener('visibilitychange', wake);
  }, [waiting]);
  return ended;
}

/** While the page waits for the link in the mail. */
const waitingWords = {
  goesOn: t`This page goes on by itself once you have opened the link, here or on another device.`,
  number: (number: number) => t`Your number is ${String(number)}. The page behind the link shows the same one.`,
  over: t`This page can’t go on by itself any more. If you opened the link, log in. If not, sign up again.`,
  almostIn: [t`Almost`, t`in.`],
} as const;
