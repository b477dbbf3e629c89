/** Setting a new password with the code of a link. The code is used up when the form is sent, not before. */
import { useState } from 'react';
import { newPasswordProblem } from './form-rules.ts';
import { isWorthRetrying } from './link-action-model.ts';
import { useApp } from '../app-context.ts';
import { accountCopy, resetCopy } from './account-words.ts';
import { sentenceOf, sentences } from '../copy/errors.ts';
import { useBusy } from '../store/use-busy.ts';
import { Form } from '../ui/fields/Form.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { ActionDone } from './ActionDone.tsx';
import { ActionFailed } from './ActionFailed.tsx';

export function NewPassword({ oobCode }: { oobCode: string }) {
  const { callRoute } = useApp();
  const { isBusy, run } = useBusy();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<'open' | 'saved' | 'failed'>('open');

  function submit(): void {
    const found = newPasswordProblem(password);
    setProblem(found === null ? null : accountCopy[found]);
    if (found !== null) return;
    run(async () => {
      const answer = await callRoute('POST /api/accounts/reset-password', { oobCode, password });
      if (answer.ok) setOutcome('saved');
      else if (answer.error.code === 'auth/password-weak') setProblem(sentences['auth/password-weak']);
      else if (isWorthRetrying(answer.error)) setProblem(sentenceOf(answer.error));
      else setOutcome('failed');
    });
  }

  if (outcome === 'saved') {
    return (
      <ActionDone title={resetCopy.savedTitle} lead={resetCopy.savedLead}>
        <ButtonLink href="/login" variant="primary" block>
          {accountCopy.goToLogin}
        </ButtonLink>
      </ActionDone>
    );
  }
  if (outcome === 'failed') {
    return (
      <ActionFailed title={resetCopy.failedTitle} lead={resetCopy.failedLead}>
        <ButtonLink href="/login?reset=" variant="primary" block>
          {resetCopy.askAgain}
        </ButtonLink>
      </ActionFailed>
    );
  }
  return (
    <>
      <h1>{resetCopy.newTitle}</h1>
      <Form onSubmit={submit} label={resetCopy.newTitle}>
        <PasswordField
          label={resetCopy.newPassword}
          name="password"
          autoComplete="new-password"
          hint={accountCopy.passwordHint}
          required
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setProblem(null);
          }}
          error={problem ?? undefined}
        />
        <Button type="submit" variant="primary" block busy={isBusy}>
          {resetCopy.save}
        </Button>
      </Form>
    </>
  );
}
