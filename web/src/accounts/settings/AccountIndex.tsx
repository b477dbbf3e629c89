/** What the account has, as links to its parts: beside the open one, or on phones before them with what each says now. */
import { languages } from '@tunemate/protocol';
import { type ComponentType, useEffect } from 'react';
import { useUser } from '../../app-context.ts';
import { language, t } from '../../language/t.ts';
import { useReadable } from '../../store/use-readable.ts';
import { ChevronRightIcon, BellIcon } from '../../ui/icons/inside-icons.tsx';
import { KeyIcon } from '../../ui/icons/door-icons.tsx';
import { DataIcon, LookIcon, ProfileIcon } from '../../ui/icons/account-icons.tsx';
import { EyeIcon, type IconProps } from '../../ui/icons/icons.tsx';
import { HomeIcon } from '../../ui/icons/page-icons.tsx';
import type { Look } from '../../ui/look.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { Link } from '../../ui/Link.tsx';
import { classNames } from '../../ui/class-names.ts';
import { shellWords } from '../../words/shell.ts';
import { ownSheet } from '../../ui/own-sheet.ts';
import { audienceWords } from './AudienceRows.tsx';
import sheet from './AccountIndex.css?inline';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { accountSettingsWords } from './account-settings-words.ts';

export const indexStyles = ownSheet('index', sheet);

export type PartName = keyof typeof accountSettingsWords.parts;

interface AccountIndexProps {
  /** The parts that this browser has. */
  names: readonly PartName[];
  /** The open one. */
  current: PartName | null;
  accountSettings: AccountSettingsModel;
  look: Look;
  /** Push, on this device. */
  isPushOn: boolean;
}

export function AccountIndex(props: AccountIndexProps) {
  const isWide = useWideScreen();
  const says = useStates(props);
  const { names, current, accountSettings } = props;
  useEffect(() => {
    if (!isWide) void accountSettings.loadSessions();
  }, [accountSettings, isWide]);
  return (
    <nav className={indexStyles.nav} aria-label={accountSettingsWords.title}>
      {isWide && (
        <p className={classNames(indexStyles.title, 'name')} aria-hidden="true">
          {accountSettingsWords.title}
        </p>
      )}
      {names.map((name) => {
        const Icon = icons[name];
        return (
          <a
            key={name}
            href={`#${name}`}
            className={indexStyles.row}
            aria-current={name === current ? 'page' : undefined}
          >
            <Icon />
            <span>
              <strong>{accountSettingsWords.parts[name]}</strong>
              {!isWide && <small dir="auto">{says[name]}</small>}
            </span>
            {!isWide && <ChevronRightIcon size={18} />}
          </a>
        );
      })}
      <Link href="/" className={classNames(indexStyles.row, indexStyles.home)}>
        <HomeIcon size={20} />
        <span>{shellWords.backToHome}</span>
      </Link>
    </nav>
  );
}

/** What each part says now, in a few words. */
function useStates({
  accountSettings,
  look,
  isPushOn,
}: Omit<AccountIndexProps, 'names' | 'current'>): Record<PartName, string> {
  const user = useUser();
  const sessions = useReadable(accountSettings.sessions);
  const audience = audienceWords[user.hearingShownTo ?? 'nobody'];
  const devices = sessions.status === 'known' ? [deviceWords(sessions.items.length)] : [];
  return {
    profile: user.name,
    signIn: [accountSettingsWords.password, ...devices].join(', '),
    privacy: t`What I hear: ${audience}`,
    look: [accountSettingsWords.looks[look], languages[language as keyof typeof languages]].join(', '),
    notifications: isPushOn ? t`On this device: on` : t`On this device: off`,
    data: t`Export, delete`,
  };
}

const deviceWords = (count: number): string => (count === 1 ? t`1 device` : t`${count} devices`);

const icons = {
  profile: ProfileIcon,
  signIn: KeyIcon,
  privacy: EyeIcon,
  look: LookIcon,
  notifications: BellIcon,
  data: DataIcon,
} satisfies Record<PartName, ComponentType<IconProps>>;
