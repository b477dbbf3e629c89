/** A new password, by the current one. */
import type { Refusal, UserDocument } from '@tunemate/protocol';
import { useState } from 'react';
import type { CareModel } from './care-model.ts';
import { newPasswordProblem } from './form-rules.ts';
import { careInstead, careWords } from './care-words.ts';
import { accountWords } from './account-words.ts';
import { sentenceOf } from '../copy/sentences.ts';
import { useBusy } from '../store/use-busy.ts';
import { Form } from '../ui/fields/Form.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { Button } from '../ui/keys/Button.tsx';
import { ButtonGroup } from '../ui/keys/ButtonGroup.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { useToast } from '../ui/notices/toasts.ts';

const empty = { current: '', next: '' };
interface Problems {
  readonly current?: string;
  readonly next?: string;
}

export function PasswordForm({ care, user }: { care: CareModel; user: UserDocument }) {
  const { isBusy, run } = useBusy();
  const toast = useToast();
  const [typed, setTyped] = useState(empty);
  const [problems, setProblems] = useState<Problems>({});

  function submit(): void {
    const found = newPasswordProblem(typed.next);
    const unfit: Problems = {
      ...(typed.current === '' && { current: accountWords.passwordMissing }),
      ...(found !== null && { next: accountWords[found] }),
    };
    setProblems(unfit);
    if (Object.keys(unfit).length > 0) return;
    run(async () => {
      const answer = await care.changePassword(typed.current, typed.next);
      if (!answer.ok) return setProblems(problemOf(answer.error));
      setTyped(empty);
      toast(careWords.passwordSaved);
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
    <Section title={careWords.passwordTitle} flush>
      <Form onSubmit={submit} label={careWords.passwordTitle}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField label={careWords.currentPassword} autoComplete="current-password" {...wiring('current')} />
        <PasswordField
          label={careWords.newPassword}
          autoComplete="new-password"
          hint={accountWords.passwordHint}
          {...wiring('next')}
        />
        <ButtonGroup inline>
          <Button type="submit" busy={isBusy}>
            {careWords.savePassword}
          </Button>
        </ButtonGroup>
      </Form>
    </Section>
  );
}

function problemOf(refusal: Refusal): Problems {
  const sentence = sentenceOf(refusal, careInstead);
  return refusal.code === 'auth/invalid-credentials' ? { current: sentence } : { next: sentence };
}
