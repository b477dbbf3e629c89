/** Changes the password; asks for the current one. */
import type { Refusal, UserDocument } from '@tunemate/protocol';
import { useState } from 'react';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { newPasswordProblem } from '../form-rules.ts';
import { accountSettingsInstead, accountSettingsCopy } from './account-settings-words.ts';
import { accountCopy } from '../account-words.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';

const empty = { current: '', next: '' };
interface Problems {
  readonly current?: string;
  readonly next?: string;
}

export function PasswordForm({ accountSettings, user }: { accountSettings: AccountSettingsModel; user: UserDocument }) {
  const { isBusy, run } = useBusy();
  const toast = useToast();
  const [typed, setTyped] = useState(empty);
  const [problems, setProblems] = useState<Problems>({});

  function submit(): void {
    const found = newPasswordProblem(typed.next);
    const unfit: Problems = {
      ...(typed.current === '' && { current: accountCopy.passwordMissing }),
      ...(found !== null && { next: accountCopy[found] }),
    };
    setProblems(unfit);
    if (Object.keys(unfit).length > 0) return;
    run(async () => {
      const answer = await accountSettings.changePassword(typed.current, typed.next);
      if (!answer.ok) return setProblems(problemOf(answer.error));
      setTyped(empty);
      toast(accountSettingsCopy.passwordSaved);
    });
  }

  const wiring = (field: keyof typeof typed) => ({
    required: true,
    value: typed[field],
    error: problems[field],
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [field]: event.target.value });
      setProblems({});
    },
  });
  return (
    <Section title={accountSettingsCopy.passwordTitle} flush>
      <Form onSubmit={submit} label={accountSettingsCopy.passwordTitle}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          label={accountSettingsCopy.currentPassword}
          autoComplete="current-password"
          {...wiring('current')}
        />
        <PasswordField
          label={accountSettingsCopy.newPassword}
          autoComplete="new-password"
          hint={accountCopy.passwordHint}
          {...wiring('next')}
        />
        <ButtonGroup inline>
          <Button type="submit" busy={isBusy}>
            {accountSettingsCopy.savePassword}
          </Button>
        </ButtonGroup>
      </Form>
    </Section>
  );
}

function problemOf(refusal: Refusal): Problems {
  const sentence = sentenceOf(refusal, accountSettingsInstead);
  return refusal.code === 'auth/invalid-credentials' ? { current: sentence } : { next: sentence };
}
