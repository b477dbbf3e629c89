/** The name of the current user, as other people see it. */
import type { UserDocument } from '@tunemate/protocol';
import { useState } from 'react';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { nameProblem } from '../form-rules.ts';
import { useApp } from '../../app-context.ts';
import { accountSettingsCopy } from './account-settings-words.ts';
import { accountCopy } from '../account-words.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';

export function NameForm({ accountSettings, user }: { accountSettings: AccountSettingsModel; user: UserDocument }) {
  const { session } = useApp();
  const { isBusy, run } = useBusy();
  const toast = useToast();
  const [name, setName] = useState(user.name);
  const [problem, setProblem] = useState<string | null>(null);

  function submit(): void {
    const found = nameProblem(name);
    setProblem(found === null ? null : accountCopy[found]);
    if (found !== null) return;
    run(async () => {
      const answer = await accountSettings.update({ name: name.trim() });
      if (!answer.ok) return setProblem(sentenceOf(answer.error, { 'input/invalid': accountCopy.nameUnfit }));
      session.takeUser(answer.value);
      setName(answer.value.name);
      toast(accountSettingsCopy.saved);
    });
  }

  return (
    <Section title={accountSettingsCopy.nameTitle} flush>
      <Form onSubmit={submit} label={accountSettingsCopy.nameTitle}>
        <TextField
          label={accountSettingsCopy.name}
          name="name"
          autoComplete="name"
          required
          value={name}
          error={problem ?? undefined}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <ButtonGroup inline>
          <Button type="submit" busy={isBusy}>
            {accountSettingsCopy.saveName}
          </Button>
        </ButtonGroup>
      </Form>
    </Section>
  );
}
