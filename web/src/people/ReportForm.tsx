/** Reports a person, or one of their messages, to the operator. Loaded when it is opened. */
import { limits, type PayloadInput } from '@tunemate/protocol';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../app-context.ts';
import { newClientId } from '../connection/ids.ts';
import { sentenceOf } from '../words/errors.ts';
import { useBusy } from '../store/use-busy.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { Note } from '../ui/feedback/Note.tsx';
import { useToast } from '../ui/feedback/toasts.ts';
import { Form } from '../ui/fields/Form.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { t } from '../language/t.ts';

interface ReportFormProps {
  person: { uid: string; name: string };
  about: PayloadInput<'reports/send'>['about'];
  onSent: () => void;
}

const words = {
  lead: (name: string, isMessage: boolean) =>
    isMessage
      ? t`The person who runs this server will read this message and what you write. ${name} does not learn of it.`
      : t`The person who runs this server will read what you write. ${name} does not learn of it.`,
  send: t`Report`,
} as const;

export function ReportForm({ person, about, onSent }: ReportFormProps) {
  const { connection } = useApp();
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<{ missing: boolean; text: string } | null>(null);
  // The same for each attempt, so that the server stores the report once.
  const [clientId] = useState(newClientId);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  function submit(): void {
    if (reason.trim() === '') {
      setProblem({ missing: true, text: t`Please say what is wrong.` });
      field.current?.focus();
      return;
    }
    run(async () => {
      const answer = await connection.request('reports/send', { clientId, uid: person.uid, about, reason });
      if (!answer.ok) return setProblem({ missing: false, text: sentenceOf(answer.error) });
      toast(t`Reported. You get a notification when it was read.`);
      onSent();
    });
  }
  return (
    <Form onSubmit={submit} label={words.send}>
      <p>{words.lead(person.name, about.type !== 'person')}</p>
      <TextField
        ref={field}
        label={t`What is wrong?`}
        required
        maxLength={limits.reportLength}
        value={reason}
        error={problem?.missing ? problem.text : undefined}
        onChange={(event) => {
          setReason(event.target.value);
          setProblem(null);
        }}
      />
      {problem !== null && !problem.missing && <Note tone="bad">{problem.text}</Note>}
      <Button type="submit" variant="primary" block busy={isBusy}>
        {words.send}
      </Button>
    </Form>
  );
}
