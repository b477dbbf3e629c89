/**
 * After signing up on a server without a mail server: on its own machine the mail itself, elsewhere the number to say to
 * the person who runs it.
 */
import { useEffect, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { t } from '../../language/t.ts';
import { deviceClock } from '../../store/clock.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useNow } from '../../store/use-now.ts';
import { Button, ButtonLink, Spinner } from '../../ui/buttons/Button.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { OpenMailIcon } from '../../ui/icons/door-icons.tsx';
import type { Elements } from '../../ui/OwnText.tsx';
import { clockTime } from '../../words/dates.ts';
import { sentenceOf } from '../../words/errors.ts';
import { accountWords } from '../account-words.ts';
import { loginPath } from '../sign-in/next-path.ts';
import styles from './NoMail.module.css';
import type { SignedUp } from './signed-up.ts';

export interface NoMailProps {
  signedUp: SignedUp;
  /** How the waiting went on. */
  status: 'waiting' | 'refused' | 'over';
  /** The path to open after signing in. */
  next: string;
  isResending: boolean;
  onResend: () => void;
  /** Back to the form. */
  onChange: () => void;
  /** The room that the person is on the way to. */
  room: Elements;
}

export function NoMail(props: NoMailProps) {
  const { mail } = props.signedUp;
  if (props.status !== 'waiting') return <NotLetIn {...props} />;
  return mail ? <MailHere {...props} mail={mail} /> : <WaitingToBeLetIn {...props} />;
}

/** The mail as paper, on the machine of the server. */
function MailHere(props: NoMailProps & { mail: NonNullable<SignedUp['mail']> }) {
  const { signedUp, mail, room } = props;
  const { email, number } = signedUp;
  const nowMs = useNow(deviceClock.now);
  return (
    <>
      <div className={styles.head}>
        <h1>{accountWords.verificationSent}</h1>
        <p className="lead">{t`This server has no mail server, so here is your mail.`}</p>
      </div>
      {room}
      <article className={styles.letter} aria-label={t`Your mail`}>
        <div className={styles.letterHead}>
          <dl>
            <div>
              <dt>{t`To`}</dt>
              <dd dir="ltr">{email}</dd>
            </div>
            <div>
              <dt>{t`From`}</dt>
              <dd>{words.sender(clockTime(mail.at, nowMs))}</dd>
            </div>
          </dl>
          <p className={styles.number}>
            <b>{number}</b>
            <span>{t`your number`}</span>
          </p>
        </div>
        <p className={styles.subject}>{mail.subject}</p>
        {/* Opened by this page, so that it can close itself and leave this one in front. */}
        <ButtonLink href={mail.link} target="_blank" rel="opener" variant="ink" block icon={<OpenMailIcon />}>
          {t`Open the mail`}
        </ButtonLink>
      </article>
      <output className={styles.hint}>{words.opensHere(number)}</output>
      <WaysOn {...props} />
    </>
  );
}

const resendAfterMs = 60_000;

/** Elsewhere: no word of a mail. */
function WaitingToBeLetIn(props: NoMailProps) {
  const { signedUp, onResend, room } = props;
  const { email, name, number, at } = signedUp;
  const nowMs = useNow(deviceClock.now);
  const [askedAt, setAskedAt] = useState(at ?? deviceClock.now());
  const isFresh = useIsFresh(askedAt);
  const resend = (): void => {
    if (isFresh) return;
    setAskedAt(deviceClock.now());
    onResend();
  };
  const firstName = name?.trim().split(/\s+/)[0] ?? '';
  return (
    <>
      <div className={styles.head}>
        <h1 dir="auto">{firstName === '' ? words.almostIn : words.hello(firstName)}</h1>
        <p className="lead">{words.noMail}</p>
      </div>
      {room}
      <p className={styles.bigNumber}>
        <b>{number}</b>
        <span>{words.sayNumber}</span>
      </p>
      <output className={styles.waiting}>
        <Spinner />
        <span>{t`Waiting. This page goes on by itself.`}</span>
      </output>
      <p className={styles.hint}>{words.asked(clockTime(askedAt, nowMs), email)}</p>
      <WaysOn {...props} isFresh={isFresh} onResend={resend} />
    </>
  );
}

/** `isFresh`: it was asked a moment ago, and is not asked again. */
function WaysOn({ next, isResending, isFresh, onResend, onChange }: NoMailProps & { isFresh?: boolean }) {
  return (
    <>
      <div className={styles.ways}>
        <Button busy={isResending} aria-disabled={isFresh || undefined} onClick={onResend}>
          {accountWords.resendShort}
        </Button>
        <ButtonLink href={loginPath(next)}>{accountWords.goToLogin}</ButtonLink>
      </div>
      <Button variant="ghost" block onClick={onChange}>
        {t`Change the email`}
      </Button>
    </>
  );
}

/** For a minute after it was asked. */
function useIsFresh(askedAt: number): boolean {
  // The time of the request that is no longer fresh.
  const [staleAt, setStaleAt] = useState<number | null>(null);
  useEffect(
    () => deviceClock.schedule(() => setStaleAt(askedAt), Math.max(0, askedAt + resendAfterMs - deviceClock.now())),
    [askedAt],
  );
  return staleAt !== askedAt;
}

function NotLetIn({ status, next, onChange }: NoMailProps) {
  return (
    <>
      <h1>{status === 'refused' ? t`Not let in` : words.almostIn}</h1>
      <output>{status === 'refused' ? t`The person who runs this server did not let you in.` : words.over}</output>
      <div className={styles.ways}>
        <ButtonLink href={loginPath(next)} variant="primary">
          {accountWords.goToLogin}
        </ButtonLink>
        <Button onClick={onChange}>{t`Sign up again`}</Button>
      </div>
    </>
  );
}

/** While the server has no operator: the code of its log makes this person the first. */
export function RunServer({ ticket }: { ticket: string }) {
  const { callRoute } = useApp();
  const { isBusy, run } = useBusy();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isDone, setIsDone] = useState(false);
  function submit(): void {
    run(async () => {
      const answer = await callRoute('POST /api/accounts/run-server', { ticket, code });
      if (answer.ok) setIsDone(true);
      else setProblem(sentenceOf(answer.error, { 'auth/code-invalid': words.codeWrong }));
    });
  }
  if (isDone) return <output className={styles.hint}>{t`You run this server.`}</output>;
  return (
    <details className={styles.run}>
      <summary>{t`Do you run this server?`}</summary>
      <Form onSubmit={submit} label={words.runIt}>
        <TextField
          label={t`Code`}
          hint={t`The server’s log shows it, such as 7F3A-9C04.`}
          error={problem ?? undefined}
          value={code}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          onChange={(event) => {
            setCode(event.target.value);
            setProblem(null);
          }}
        />
        <Button type="submit" block busy={isBusy}>
          {words.runIt}
        </Button>
      </Form>
    </details>
  );
}

const words = {
  sender: (time: string) => t`Tunemate, today ${time}`,
  opensHere: (number: number) =>
    t`The mail opens in a new page that shows the same number, ${String(number)}, and asks you to press once. It also lies in the terminal that runs the server. Only pages on this machine show it.`,
  almostIn: t`Almost in`,
  hello: (name: string) => t`Hello, ${name}`,
  noMail: t`This server sends no mail. The person who runs it can let you in.`,
  sayNumber: t`Say this number to them: it stands beside your name on their page.`,
  asked: (time: string, email: string) =>
    t`Asked at ${time} with ${email}. You may close the page: sign in later, and you are in as soon as you were let in.`,
  over: t`This page can’t go on by itself any more. If you were let in, log in. If not, sign up again.`,
  runIt: t`Run this server`,
  codeWrong: t`This is not the code, or the server has a person who runs it.`,
} as const;
