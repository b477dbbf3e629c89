/**
 * This device's own sound: mute, volume, sync badge, and a button for its offset and 'Resync'. Affects this device
 * only. The player that has them gives the volume its place, where there is one.
 */
import type { FollowStatus } from '@tunemate/playback';
import { useState } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { useSlowReadable } from '../../store/use-slow-readable.ts';
import { Slider } from '../../ui/deck/Slider.tsx';
import { SoundIcon, SoundOffIcon, TuneIcon } from '../../ui/icons/film-icons.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { ClockSync } from '../clock-sync.ts';
import type { DeviceSoundModel } from '../device-sound.ts';
import type { PlaybackModel } from '../playback-model.ts';
import styles from './SoundLine.module.css';
import { lazyPart } from '../../store/lazy-part.ts';
import { t } from '../../language/t.ts';

const DeviceSheet = lazyPart(async () => (await import('./DeviceSheet.tsx')).DeviceSheet);

export interface SoundProps {
  model: PlaybackModel;
  deviceSound: DeviceSoundModel;
  clockSync: ClockSync;
}

export function Volume({ deviceSound }: Pick<SoundProps, 'deviceSound'>) {
  const sound = useReadable(deviceSound.sound);
  const isSilent = sound.isMuted || sound.volume === 0;
  const percent = `${Math.round(sound.volume * 100)} %`;
  return (
    <>
      <IconButton
        label={sound.isMuted ? t`Unmute` : t`Mute`}
        icon={isSilent ? <SoundOffIcon /> : <SoundIcon />}
        onClick={() => deviceSound.setMuted(!sound.isMuted)}
      />
      <span>
        <Slider
          label={t`Volume`}
          value={sound.isMuted ? 0 : sound.volume}
          min={0}
          max={1}
          step={0.05}
          valueText={sound.isMuted ? t`Muted` : percent}
          onChange={(volume) => deviceSound.setVolume(volume)}
        />
      </span>
    </>
  );
}

export function SoundButton({ model, deviceSound, clockSync }: SoundProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        label={t`Sound and sync`}
        aria-haspopup="dialog"
        icon={<TuneIcon />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <DeviceSheet
          deviceSound={deviceSound}
          clockSync={clockSync}
          onResync={() => model.resync()}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

export function SyncBadge({ model }: Pick<SoundProps, 'model'>) {
  const words = useSlowReadable(model.follow, (follow) => syncWords(follow)?.text ?? null);
  const isInStep = useSlowReadable(model.follow, (follow) => syncWords(follow)?.isInStep === true);
  if (words === null) return <span className={styles.badge} />;
  return (
    <span
      className={classNames(styles.badge, isInStep && styles.inStep)}
      title={t`How far this player may be from the others`}
      dir="ltr"
      data-testid="sync-badge"
    >
      {words}
    </span>
  );
}

/** The badge: `±5 ms` while it plays, else what it waits for. */
interface SyncWords {
  readonly text: string;
  readonly isInStep: boolean;
}

/** A smaller difference is inaudible. */
const inStepMs = 40;

const waitingWords: Partial<Record<FollowStatus['status'], string>> = {
  'waiting-for-clock': t`Setting the clock`,
  loading: t`Loading`,
  cued: t`Ready`,
  buffering: t`Buffering`,
  blocked: t`Silent`,
  failed: t`Cannot play`,
};

/** Null while nothing plays. */
export function syncWords(follow: FollowStatus): SyncWords | null {
  const { status, smoothedDriftMs, driftMs, uncertaintyMs, isInexact } = follow;
  const waiting = waitingWords[status];
  if (waiting !== undefined) return { text: waiting, isInStep: false };
  const offMs = smoothedDriftMs ?? driftMs;
  if (offMs === null || (status !== 'playing' && status !== 'correcting')) return null;
  if (!Number.isFinite(uncertaintyMs)) return { text: t`Setting the clock`, isInStep: false };
  const roundedMs = Math.round(Math.abs(offMs) + uncertaintyMs);
  const text = roundedMs < 1000 ? t`±${roundedMs} ms` : `±${(roundedMs / 1000).toFixed(1)} s`;
  if (isInexact) return { text: t`about ${text}`, isInStep: false };
  return { text, isInStep: roundedMs <= inStepMs };
}
