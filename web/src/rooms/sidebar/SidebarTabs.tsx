/** The rail in wide view: a button for each shelf, with its count. A press unfolds the rail with that shelf full. */
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { DoorIcon, MessageIcon, PeopleIcon, SearchIcon } from '../../ui/icons/icons.tsx';
import { WideIcon } from '../../ui/icons/marks.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { Shelf } from './sidebar-panels.ts';
import styles from './SidebarTabs.module.css';

export interface RailSpineProps {
  waiting: number;
  people: number;
  /** Messages that came since the rail was folded. */
  messages: number;
  canSearch: boolean;
  onOpen: (shelf: Shelf) => void;
  onUnfold: () => void;
}

export function RailSpine({ waiting, people, messages, canSearch, onOpen, onUnfold }: RailSpineProps) {
  return (
    <div className={styles.spine}>
      <IconButton label="Leave wide view" icon={<WideIcon />} onClick={onUnfold} />
      {waiting > 0 && (
        <Key
          label={`Pending Join Requests, ${waiting}`}
          icon={<DoorIcon />}
          count={waiting}
          isUrgent
          onPress={() => onOpen('door')}
        />
      )}
      {canSearch && <Key label="Search" icon={<SearchIcon />} onPress={() => onOpen('find')} />}
      <Key label={`Participants, ${people}`} icon={<PeopleIcon />} count={people} onPress={() => onOpen('people')} />
      <Key
        label={messages > 0 ? `Room chat, ${messages} new` : 'Room chat'}
        icon={<MessageIcon />}
        count={messages}
        isNew
        onPress={() => onOpen('chat')}
      />
    </div>
  );
}

interface KeyProps {
  label: string;
  icon: ReactNode;
  count?: number;
  isUrgent?: boolean;
  isNew?: boolean;
  onPress: () => void;
}

function Key({ label, icon, count = 0, isUrgent, isNew, onPress }: KeyProps) {
  return (
    <IconButton
      label={label}
      className={classNames(styles.key, isUrgent && styles.urgent)}
      icon={
        <>
          {icon}
          {count > 0 && (
            <span className={classNames(styles.count, isNew && styles.fresh)}>{count > 99 ? '99+' : count}</span>
          )}
        </>
      }
      onClick={onPress}
    />
  );
}
