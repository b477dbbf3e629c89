/** Signing up on the way to a room: one field a page. `/signup` itself has all three on one page. */
import type { Destination } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { EmailField } from '../../ui/fields/EmailField.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { BackIcon } from '../../ui/icons/icons.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { accountWords, signUpFailed } from '../account-words.ts';
import { loginPath } from '../sign-in/next-path.ts';
import { fieldOrder, type SignUpForm } from '../sign-up/sign-up-form.ts';
import { RoomFrame } from './RoomFrame.tsx';
import styles from './WayIn.module.css';
import { wayInWords } from './way-in-words.ts';
import { t } from '../../language/t.ts';

interface SignUpStepsProps {
  form: SignUpForm;
  room: Destination;
  next: string;
}

/** Going back, also by the browser's own way, keeps what was typed. */
export function SignUpSteps({ form, room, next }: SignUpStepsProps) {
  const [step, goForward] = useHistoryStep();
  const field = fieldOrder[step] ?? 'name';
  const { focus } = form;
  useEffect(() => {
    // After the new screen's heading had it.
    const timer = setTimeout(() => focus(field));
    return () => clearTimeout(timer);
  }, [focus, field]);

  function goOn(): void {
    if (field === 'password') form.submit();
    else if (form.check(field)) goForward();
  }

  const { title, after } = wayInWords[field];
  const back = <BackIcon />;
  return (
    <RoomFrame room={room} hasField>
      <div style={flush}>
        {step === 0 ? (
          <ButtonLink href={loginPath(next)} variant="ghost" small icon={back}>
            {wayInWords.back}
          </ButtonLink>
        ) : (
          <Button variant="ghost" small icon={back} onClick={() => history.back()}>
            {wayInWords.back}
          </Button>
        )}
      </div>
      <p className={styles.parts}>
        <VisuallyHidden>{wayInWords.step(step + 1)}</VisuallyHidden>
        {fieldOrder.map((each, index) => (
          <i key={each} data-done={index <= step ? '' : undefined} aria-hidden="true" />
        ))}
      </p>
      <h1>{title}</h1>
      <Form onSubmit={goOn} label={title}>
        {field === 'name' && (
          <TextField
            label={accountWords.name}
            autoComplete="name"
            hint={wayInWords.name.hint}
            {...form.wiring('name')}
          />
        )}
        {field === 'email' && (
          <EmailField
            label={accountWords.email}
            autoComplete="email"
            hint={wayInWords.email.hint}
            {...form.wiring('email')}
          />
        )}
        {field === 'password' && (
          <>
            {/* What password managers store as the name of the account. */}
            <input type="email" autoComplete="username" value={form.email} readOnly hidden />
            <PasswordField
              label={accountWords.password}
              autoComplete="new-password"
              hint={accountWords.passwordHint}
              {...form.wiring('password')}
            />
          </>
        )}
        {form.refusal !== null && <Note tone="bad">{signUpFailed(form.refusal)}</Note>}
        <Button type="submit" variant="primary" block busy={form.isBusy}>
          {field === 'password' ? accountWords.createAccount : t`Next`}
        </Button>
      </Form>
      <p className="lead">{after}</p>
    </RoomFrame>
  );
}

/** The arrow stands at the edge of what is below. */
const flush = { marginInlineStart: '-14px' };

let left: Promise<unknown> = Promise.resolve();

/**
 * Resolves once the browser has left the entries of the form, which it does some time after it was asked to. An address
 * that is opened before would be left with them.
 */
export const entriesLeft = (): Promise<unknown> => left;

/** The step, and going on to the next. Each is an entry of the browser's history, which only ever leads back. */
function useHistoryStep(): [step: number, goForward: () => void] {
  const [step, setStep] = useState(0);
  useEffect(() => {
    const onWayBack = (): void => setStep((now) => Math.min(now, stepOfEntry()));
    // Entries of a form that is gone, or was reloaded, lead nowhere.
    const leaveEntries = (): void => {
      if (stepOfEntry() === 0) return;
      left = new Promise((resolve) => {
        addEventListener('popstate', resolve, { once: true });
      });
      history.go(-stepOfEntry());
    };
    leaveEntries();
    addEventListener('popstate', onWayBack);
    return () => {
      removeEventListener('popstate', onWayBack);
      leaveEntries();
    };
  }, []);

  function goForward(): void {
    history.pushState({ signUpStep: step + 1 }, '');
    setStep(step + 1);
  }
  return [step, goForward];
}

const stepOfEntry = (): number => (history.state as { signUpStep?: number } | null)?.signUpStep ?? 0;
