/** Creating a room of either kind: the cover shows the name while the user types, then the tiles of the code. */
import { limits, type RoomKind } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { createCreateModel, type CreateStatus } from './create-model.ts';
import { factsOf } from '../room-kinds.ts';
import { CodeOfRoom, CopyButtons, QrAndShare } from './Invite.tsx';
import { useReadable } from '../../store/use-readable.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { TaskPage } from '../../ui/layout/TaskPage.tsx';
import { Button, ButtonLink } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import { t } from '../../language/t.ts';

export function CreateRoomScreen({ kind }: { kind: RoomKind }) {
  const { connection } = useApp();
  const facts = factsOf(kind);
  const model = useMemo(() => createCreateModel(connection, kind), [connection, kind]);
  const status = useReadable(model.status);
  const [name, setName] = useState('');
  const modals = useModals();
  const failure = status.status === 'naming' ? status.failure : null;
  const showFailure = useEffectEvent(async ({ message, text }: NonNullable<typeof failure>) => {
    await modals.ok(message, { text, band: facts.ink });
    model.forget();
  });
  useEffect(() => {
    if (failure !== null) void showFailure(failure);
  }, [failure]);

  const code = status.status === 'created' ? status.code : '';
  return (
    <AppLayout band={facts.ink} title={facts.bandTitle}>
      <TaskPage art={<Sleeve name={name} code={code} record={<Vinyl pressed />} />}>
        {status.status === 'created' ? (
          <Created kind={kind} code={status.code} />
        ) : (
          <Naming
            kind={kind}
            status={status}
            name={name}
            onName={(typed) => {
              setName(typed);
              model.forget();
            }}
            onCreate={() => void model.create(name)}
          />
        )}
      </TaskPage>
    </AppLayout>
  );
}

interface NamingProps {
  kind: RoomKind;
  status: Exclude<CreateStatus, { status: 'created' }>;
  name: string;
  onName: (name: string) => void;
  onCreate: () => void;
}

function Naming({ kind, status, name, onName, onCreate }: NamingProps) {
  const error = status.status === 'naming' ? status.nameError : null;
  return (
    <>
      <h1>{factsOf(kind).createTitle}</h1>
      <Form onSubmit={onCreate}>
        <TextField
          label={t`Room name`}
          value={name}
          maxLength={limits.roomNameLength}
          autoComplete="off"
          enterKeyHint="go"
          error={error ?? undefined}
          onChange={(event) => onName(event.target.value)}
        />
        <ButtonGroup>
          <Button type="submit" variant="primary" block busy={status.status === 'creating'}>
            {t`Create Room`}
          </Button>
          <ButtonLink href="/" variant="ghost" block>
            {t`Back to Home`}
          </ButtonLink>
        </ButtonGroup>
      </Form>
    </>
  );
}

function Created({ kind, code }: { kind: RoomKind; code: string }) {
  return (
    <>
      <h1>{t`Your room is pressed`}</h1>
      <p className="lead">{t`Share this code. You approve everyone who asks to come in.`}</p>
      <CodeOfRoom code={code} />
      <ButtonGroup>
        <ButtonLink href={factsOf(kind).roomPath(code)} variant="primary" block>
          {t`Enter Room`}
        </ButtonLink>
        <CopyButtons kind={kind} code={code} />
        <QrAndShare kind={kind} code={code} />
        <ButtonLink href="/" variant="ghost" block>
          {t`Back to Home`}
        </ButtonLink>
      </ButtonGroup>
    </>
  );
}
