/** What the user hears, sent on to ListenBrainz: the token is entered here, and never shown again. */
import type { ListensState } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { useApp } from '../../../app-context.ts';
import { asking } from '../../../store/asking.ts';
import { useBusy } from '../../../store/use-busy.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../../ui/buttons/ButtonGroup.tsx';
import { useToast } from '../../../ui/feedback/toasts.ts';
import { Note } from '../../../ui/feedback/Note.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { PasswordField } from '../../../ui/fields/PasswordField.tsx';
import { Section } from '../../../ui/lists/Section.tsx';
import { sentenceOf } from '../../../words/errors.ts';
import { useAnswerOf } from '../../../words/use-answer-of.ts';
import styles from '../Account.module.css';
import { t } from '../../../language/t.ts';

/** Nothing until the server said that it sends listens. */
export function ListensSection() {
  const { callRoute } = useApp();
  const [state, setState] = useState<ListensState | null>(null);

  useEffect(() => {
    return asking(
      () => callRoute('GET /api/listens', {}),
      (answer) => {
        if (answer.ok) setState(answer.value);
      },
    );
  }, [callRoute]);

  if (state === null || state.status === 'off') return null;
  return (
    <Section title={listensWords.title} flush>
      <p className={styles.hint}>{listensWords.hint(state.server)}</p>
      {state.status === 'connected' && <Connected state={state} onChange={setState} />}
      {(state.status === 'disconnected' || state.isRefused) && <TokenForm server={state.server} onChange={setState} />}
    </Section>
  );
}

interface OfState {
  onChange: (state: ListensState) => void;
}

function TokenForm({ server, onChange }: OfState & { server: string }) {
  const { callRoute } = useApp();
  const { isBusy, run } = useBusy();
  const toast = useToast();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function submit(): void {
    if (token.trim() === '') return setProblem(t`Please enter your token.`);
    run(async () => {
      const answer = await callRoute('POST /api/listens/connect', { token });
      if (!answer.ok) return setProblem(sentenceOf(answer.error, { 'input/invalid': listensWords.refused(server) }));
      const { outcome, state } = answer.value;
      if (outcome !== 'connected') return setProblem(listensWords[outcome](server));
      setToken('');
      onChange(state);
      toast(t`Your listens are sent from now on.`);
    });
  }

  return (
    <Form onSubmit={submit} label={listensWords.title}>
      <PasswordField
        label={t`User token`}
        hint={listensWords.tokenHint}
        autoComplete="off"
        required
        value={token}
        error={problem ?? undefined}
        onChange={(event) => {
          setToken(event.target.value);
          setProblem(null);
        }}
      />
      <ButtonGroup inline>
        <Button type="submit" busy={isBusy}>
          {t`Send My Listens`}
        </Button>
      </ButtonGroup>
    </Form>
  );
}

function Connected({ state, onChange }: OfState & { state: Extract<ListensState, { status: 'connected' }> }) {
  const { callRoute } = useApp();
  const { isBusy, run } = useBusy();
  const answerOf = useAnswerOf({ failed: t`That did not work` });
  const { server, name, isRefused, waiting } = state;

  async function disconnect(): Promise<void> {
    const next = await answerOf(callRoute('POST /api/listens/disconnect', {}));
    if (next) onChange(next);
  }

  return (
    <>
      <Note tone={isRefused ? 'bad' : 'good'}>
        {isRefused ? listensWords.refusedSince(server) : t`Your listens go to ${name} at ${server}.`}
      </Note>
      {waiting > 0 && <p className={styles.hint}>{listensWords.waiting(waiting)}</p>}
      <div className={styles.after}>
        <ButtonGroup inline>
          <Button busy={isBusy} onClick={() => run(disconnect)}>
            {t`Stop Sending`}
          </Button>
        </ButtonGroup>
      </div>
    </>
  );
}

/** Texts of the listens that are sent on. `server` is the host's name. */
const listensWords = {
  title: t`Listening history`,
  hint: (server: string) =>
    t`Tracks that you hear in rooms are sent to your account at ${server}. Videos without an artist are left out.`,
  tokenHint: t`You find it in the settings of your account there. It is never shown here again.`,
  refused: (server: string) => t`${server} does not know this token. Copy it again from your settings there.`,
  unreachable: (server: string) => t`${server} does not answer. Try again in a few minutes.`,
  refusedSince: (server: string) =>
    t`Tunemate has no token that ${server} takes, so nothing is sent. Enter one: what waits is sent then.`,
  waiting: (count: number) => t`Waiting to be sent: ${count}`,
} as const;
