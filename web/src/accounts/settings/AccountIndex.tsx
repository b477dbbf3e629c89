/** What the account has, as links to its parts: beside them, or before them on phones with what each one says now. */
import { languages } from '@tunemate/protocol';
import { useEffect, useState, type ComponentType } from 'react';
import { useUser } from '../../app-context.ts';
import { language, t } from '../../language/t.ts';
import { useReadable } from '../../store/use-readable.ts';
import { ChevronRightIcon, BellIcon } from '../../ui/icons/inside-icons.tsx';
import { KeyIcon } from '../../ui/icons/door-icons.tsx';
import { DataIcon, LookIcon, ProfileIcon } from '../../ui/icons/account-icons.tsx';
import { EyeIcon, type IconProps } from '../../ui/icons/icons.tsx';
import type { Look } from '../../ui/look.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { ownSheet } from '../../ui/own-sheet.ts';
import { audienceWords } from './AudienceRows.tsx';
import sheet from './AccountIndex.css?inline';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { accountSettingsWords } from './account-settings-words.ts';

const styles = ownSheet('index', sheet);

export type PartName = keyof typeof accountSettingsWords.parts;

interface AccountIndexProps {
  accountSettings: AccountSettingsModel;
  look: Look;
  /** Whether push is on, on this device; null where the browser has none. */
  isPushOn: boolean | null;
}

export function AccountIndex(props: AccountIndexProps) {
  const isWide = useWideScreen();
  const says = useStates(props);
  const names = (Object.keys(icons) as PartName[]).filter(
    (name) => name !== 'notifications' || props.isPushOn !== null,
  );
  const [current, choose] = usePartInView(names);
  return (
    <nav className={styles.nav} aria-label={accountSettingsWords.title}>
      {names.map((name) => {
        const Icon = icons[name];
        return (
          <a
            key={name}
            href={`#${name}`}
            className={styles.row}
            aria-current={isWide && name === current ? 'true' : undefined}
            onClick={() => choose(name)}
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
    </nav>
  );
}

/** What each part says now, in a few words. */
function useStates({ accountSettings, look, isPushOn }: AccountIndexProps): Record<PartName, string> {
  const user = useUser();
  const sessions = useReadable(accountSettings.sessions);
  const audience = audienceWords[user.hearingShownTo ?? 'nobody'];
  const devices = sessions.status === 'known' ? [deviceWords(sessions.items.length)] : [];
  return {
    profile: user.name,
    signIn: [accountSettingsWords.password, ...devices].join(', '),
    privacy: t`What I hear: ${audience}`,
    look: [accountSettingsWords.looks[look], languages[language as keyof typeof languages]].join(', '),
    notifications: isPushOn === true ? t`On this device: on` : t`On this device: off`,
    data: t`Export, delete`,
  };
}

const deviceWords = (count: number): string => (count === 1 ? t`1 device` : t`${count} devices`);

/** The part that was chosen as long as it is in sight, else the first in sight. */
function usePartInView(names: readonly PartName[]): [current: string, choose: (name: PartName) => void] {
  const [chosen, choose] = useState(() => location.hash.slice(1));
  const [inView, setInView] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const seen = new IntersectionObserver(
      (entries) => {
        setInView((before) => {
          const after = new Set(before);
          for (const { isIntersecting, target } of entries) {
            if (isIntersecting) after.add(target.id);
            else after.delete(target.id);
          }
          return after;
        });
      },
      { rootMargin: '-72px 0px -20%' },
    );
    for (const part of document.querySelectorAll('[data-part]')) seen.observe(part);
    return () => seen.disconnect();
  }, []);
  return [inView.has(chosen) ? chosen : (names.find((name) => inView.has(name)) ?? names[0] ?? ''), choose];
}

const icons = {
  profile: ProfileIcon,
  signIn: KeyIcon,
  privacy: EyeIcon,
  look: LookIcon,
  notifications: BellIcon,
  data: DataIcon,
} satisfies Record<PartName, ComponentType<IconProps>>;
