/** The account settings: name, password, receipts, devices, blocked people, data export, and deleting the account. */
import type { UserDocument } from '@tunemate/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useApp, useUser } from '../../app-context.ts';
import { LanguageRows } from '../../language/LanguageChoice.tsx';
import { createPush } from '../../notifications/push.ts';
import { asking } from '../../store/asking.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { saveFile } from '../../ui/save-file.ts';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { useChoice } from '../../ui/fields/use-choice.ts';
import { chooseLook, chosenLook, looks, type Look } from '../../ui/look.ts';
import { hasLetterKeys, setLetterKeys } from '../../ui/letter-keys.ts';
import { focusHeading } from '../../ui/lost-focus.ts';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { useFragment } from '../../store/address.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { BackOnBand } from '../../ui/layout/BackOnBand.tsx';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { ListPage } from '../../ui/layout/ListPage.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import styles from './Account.module.css';
import { AccountIndex, indexStyles, type PartName } from './AccountIndex.tsx';
import { DeleteAccount, NameForm, PasswordForm } from './AccountForms.tsx';
import { HearingChoice } from './HearingChoice.tsx';
import { BlockedPeople, Sessions, useShowRefusal } from './AccountLists.tsx';
import { WhoReads } from './WhoReads.tsx';
import { createAccountSettingsModel, createFetchOwnData, type AccountSettingsModel } from './account-settings-model.ts';
import { accountSettingsWords, exportInstead } from './account-settings-words.ts';
import { t } from '../../language/t.ts';

const ListensSection = lazyPart(async () => (await import('./listens/ListensSection.tsx')).ListensSection);

export function AccountScreen() {
  const { callRoute, connection, fetch } = useApp();
  const user = useUser();
  const isWide = useWideScreen();
  const accountSettings = useMemo(
    () => createAccountSettingsModel(callRoute, connection, createFetchOwnData(fetch)),
    [callRoute, connection, fetch],
  );
  const [look, setLook] = useState(chosenLook);
  const push = usePush();
  const names = partNames.filter((name) => name !== 'notifications' || push.isSupported);
  const part = usePart(names);
  const title = part === null ? accountSettingsWords.title : accountSettingsWords.parts[part];
  const index = <AccountIndex {...{ accountSettings, look, names }} current={part} isPushOn={push.isOn} />;
  const parts: Record<PartName, Elements> = {
    profile: <Profile accountSettings={accountSettings} user={user} />,
    signIn: (
      <>
        <PasswordForm accountSettings={accountSettings} user={user} />
        <Sessions accountSettings={accountSettings} />
      </>
    ),
    privacy: (
      <>
        <HearingChoice accountSettings={accountSettings} user={user} />
        <KeepHistory />
        <ReadReceipts accountSettings={accountSettings} user={user} />
        <LinkPreviews accountSettings={accountSettings} user={user} />
        <BlockedPeople accountSettings={accountSettings} />
        <WhoReads />
        {/* What comes with an answer comes last: it moves no key away from under a finger. */}
        <ListensSection />
      </>
    ),
    look: (
      <>
        <LanguageRows />
        <LookRows look={look} onChange={setLook} />
        <LetterKeys />
      </>
    ),
    notifications: <PushSwitch {...push} />,
    data: (
      <>
        <OwnData accountSettings={accountSettings} />
        <DeleteAccount />
      </>
    ),
  };
  return (
    <AppLayout
      band="persimmon"
      title={part === 'profile' && isWide ? accountSettingsWords.title : title}
      lead={<BackOnBand href={part === null ? '/' : '/account'} />}
      sidebar={isWide && index}
    >
      <div className={indexStyles.part}>
        <ListPage title={title}>{part === null ? index : <div className={styles.stack}>{parts[part]}</div>}</ListPage>
      </div>
    </AppLayout>
  );
}

const partNames = Object.keys(accountSettingsWords.parts) as PartName[];

/** The part that the address names; without one the first, which stands beside the index, or on phones the index alone. */
function usePart(names: readonly PartName[]): PartName | null {
  const named = useFragment();
  const isWide = useWideScreen();
  const part = names.find((name) => name === named) ?? (isWide ? 'profile' : null);
  const before = useRef(named);
  useEffect(() => {
    if (named === before.current) return;
    before.current = named;
    window.scrollTo(0, 0);
    focusHeading();
  }, [named]);
  return part;
}

/** What others see of the user, and the address that they do not see. */
function Profile({ accountSettings, user }: OfUser) {
  return (
    <>
      <div style={faceStyle}>
        <Avatar id={user.uid} name={user.name} size="xl" />
        <div>
          <div className="name" dir="auto" style={nameStyle}>
            {user.name}
          </div>
          <p>{t`People see your name and this disc.`}</p>
        </div>
      </div>
      <NameForm accountSettings={accountSettings} user={user} />
      <Section title={t`Address`} flush>
        <p dir="auto">{user.email}</p>
        <p className={styles.hint}>{t`Verified. Only the person who runs the server sees it.`}</p>
      </Section>
    </>
  );
}

const nameStyle = { fontSize: '1.375rem', overflowWrap: 'anywhere' } as const;
const faceStyle = { display: 'flex', gap: '20px', alignItems: 'center' } as const;

function LookRows({ look, onChange }: { look: Look; onChange: (look: Look) => void }) {
  const choose = (chosen: Look): void => {
    chooseLook(chosen);
    onChange(chosen);
  };
  const rows = looks.map((value) => ({ value, label: accountSettingsWords.looks[value] }));
  return <RadioRows title={t`Theme`} rows={rows} value={look} onChange={choose} />;
}

function LetterKeys() {
  const [isOn, setIsOn] = useState(hasLetterKeys);
  const turn = (wanted: boolean): void => {
    setLetterKeys(wanted);
    setIsOn(wanted);
  };
  const { keysTitle, letterKeys, letterKeysDetail } = accountSettingsWords;
  return (
    <Section title={keysTitle} flush>
      <div className={styles.outdent}>
        <Switch label={letterKeys} detail={letterKeysDetail} checked={isOn} onChange={turn} />
      </div>
    </Section>
  );
}

/** Read receipts work both ways: a user who hides theirs sees no other user's. */
function ReadReceipts({ accountSettings, user }: OfUser) {
  return (
    <Section title={t`Read receipts`} flush>
      <p className={styles.hint}>{accountSettingsWords.receiptsHint}</p>
      <UserSwitch name="readReceipts" label={t`Show when I have read messages`} {...{ accountSettings, user }} />
    </Section>
  );
}

/** Where the operator has switched previews on. */
function LinkPreviews({ accountSettings, user }: OfUser) {
  const config = useReadable(useApp().session.config);
  if (!config?.linkPreviews) return null;
  return (
    <Section title={t`Links in messages`} flush>
      <p className={styles.hint}>{accountSettingsWords.linksHint}</p>
      <UserSwitch name="linkPreviews" label={t`Show previews of links`} {...{ accountSettings, user }} />
    </Section>
  );
}

interface OfUser {
  accountSettings: AccountSettingsModel;
  user: UserDocument;
}

/** A switch that is the user's on all of their devices. */
function UserSwitch({
  name,
  label,
  accountSettings,
  user,
}: OfUser & { name: 'readReceipts' | 'linkPreviews'; label: string }) {
  const { session } = useApp();
  const showRefusal = useShowRefusal();
  const [isOn, turn] = useChoice(user[name], async (wanted) => {
    const answer = await accountSettings.update({ [name]: wanted });
    if (answer.ok) session.takeUser(answer.value);
    else void showRefusal(answer.error);
  });

  return (
    <div className={styles.outdent}>
      <Switch label={label} checked={isOn} onChange={turn} />
    </div>
  );
}

/** Push messages on this device. */
function usePush() {
  const { callRoute } = useApp();
  const push = useMemo(() => createPush(callRoute, window), [callRoute]);
  const [isOn, setIsOn] = useState(false);
  const { run } = useBusy();
  const modals = useModals();
  const showRefusal = useShowRefusal();

  useEffect(() => {
    void push.isOn().then(setIsOn);
  }, [push]);

  async function turn(wanted: boolean): Promise<void> {
    if (!wanted) await push.unsubscribe();
    const answer = wanted ? await push.subscribe() : 'on';
    setIsOn(await push.isOn());
    if (answer === 'denied')
      await modals.ok(t`This browser does not allow news from here.`, { text: accountSettingsWords.pushDeniedHint });
    else if (answer !== 'on') await showRefusal({ code: answer });
  }

  return { isSupported: push.isSupported(), isOn, onChange: (wanted: boolean) => run(() => turn(wanted)) };
}

function PushSwitch({ isOn, onChange }: Pick<ReturnType<typeof usePush>, 'isOn' | 'onChange'>) {
  return (
    <Section title={t`Notifications on this device`} flush>
      <p className={styles.hint}>{accountSettingsWords.pushHint}</p>
      <div className={styles.outdent}>
        <Switch label={t`Tell me while Tunemate is closed`} checked={isOn} onChange={onChange} />
      </div>
    </Section>
  );
}

function OwnData({ accountSettings }: { accountSettings: AccountSettingsModel }) {
  const { isBusy, run } = useBusy();
  const showRefusal = useShowRefusal();
  async function save(): Promise<void> {
    const answer = await accountSettings.exportAll();
    if (answer.ok) saveFile(accountSettingsWords.exportFile, answer.value);
    else await showRefusal(answer.error, exportInstead(answer.error));
  }
  return (
    <Section title={t`Your data`} flush>
      <p className={styles.hint}>{t`Everything Tunemate keeps about you, as one JSON file.`}</p>
      <ButtonGroup inline>
        <Button busy={isBusy} onClick={() => run(save)}>
          {t`Export My Data`}
        </Button>
      </ButtonGroup>
    </Section>
  );
}

/** As high as a switch, which comes with an answer: it moves nothing then. */
const switchPlace = { minHeight: '48px' } as const;

/** Whether what the user's rooms play is kept for them. Off: nothing is kept, and what was kept is deleted. */
function KeepHistory() {
  const { connection } = useApp();
  const modals = useModals();
  const { run } = useBusy();
  const showRefusal = useShowRefusal();
  /** Null until the server has said it: a switch that shows what may not be so says something false. */
  const [isKept, setIsKept] = useState<boolean | null>(null);
  useEffect(() => {
    return asking(
      (signal) => connection.requestUntilAnswered('rooms/histories', {}, { signal }),
      (answer) => {
        if (answer.ok) setIsKept(answer.value.isKept);
      },
    );
  }, [connection]);

  async function turn(isOn: boolean): Promise<void> {
    const isSure =
      isOn ||
      (await modals.confirm({
        question: t`Stop keeping what you played?`,
        consequence: t`What was kept is deleted. Others keep theirs.`,
        action: t`Stop and delete`,
        danger: true,
      }));
    if (!isSure) return;
    const answer = await connection.request('rooms/keepHistory', { isKept: isOn });
    if (answer.ok) setIsKept(isOn);
    else await showRefusal(answer.error);
  }

  return (
    <Section title={t`What we played`} flush>
      <p className={styles.hint}>{accountSettingsWords.historyHint}</p>
      <div className={styles.outdent} style={switchPlace}>
        {isKept !== null && (
          <Switch label={t`Keep what we played`} checked={isKept} onChange={(isOn) => run(() => turn(isOn))} />
        )}
      </div>
    </Section>
  );
}
