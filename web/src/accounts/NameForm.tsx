/** One's name, as everybody else reads it. */
import type { UserDocument } from '@tunemate/protocol';
import { useState } from 'react';
import type { CareModel } from './care-model.ts';
import { nameProblem } from './form-rules.ts';
import { useApp } from '../app-context.ts';
import { careWords } from './care-words.ts';
import { accountWords } from './account-words.ts';
import { sentenceOf } from '../copy/sentences.ts';
import { useBusy } from '../store/use-busy.ts';
import { Form } from '../ui/fields/Form.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { Button } from '../ui/keys/Button.tsx';
import { ButtonGroup } from '../ui/keys/ButtonGroup.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { useToast } from '../ui/notices/toasts.ts';

export function NameForm({ care, user }: { care: CareModel; user: UserDocument }) {
  const { session } = useApp();
  const { isBusy, run } = useBusy();
  const toast = useToast();
  const [name, setName] = useState(user.name);
  const [problem, setProblem] = useState<string | null>(null);

  function submit(): void {
    const found = nameProblem(name);
    setProblem(found === null ? null : accountWords[found]);
    if (found !== null) return;
    run(async () => {
      const answer = await care.update({ name: name.trim() });
      if (!answer.ok) return setProblem(sentenceOf(answer.error, { 'input/invalid': accountWords.nameUnfit }));
      session.takeUser(answer.value);
      setName(answer.value.name);
      toast(careWords.saved);
    });
  }

  return (
    <Section title={careWords.nameTitle} flush>
      <Form onSubmit={submit} label={careWords.nameTitle}>
        <TextField
          label={careWords.name}
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
            {careWords.saveName}
          </Button>
        </ButtonGroup>
      </Form>
    </Section>
  );
}
