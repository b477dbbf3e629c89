/** This device's own sound: mute, volume, how well it is in step, and behind a key the offset and 'Resync'.
   Nothing here changes what others hear. */
import { deviceOffsetLimitMs } from '@tunemate/playback';
import { useId, useState } from 'react';
import { useReadable } from '../store/use-readable.ts';
import { Slider } from '../ui/deck/Slider.tsx';
import { SoundIcon, SoundOffIcon, TuneIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { classNames } from '../ui/class-names.ts';
import type { DeviceSoundModel } from './device-sound.ts';
import type { PlaybackModel } from './playback-model.ts';
import styles from './SoundLine.module.css';
import { syncCopy } from './sync-copy.ts';
import { useSlowReadable } from './use-slow-readable.ts';

/** The line below every player. */
export function SoundLine({ model, deviceSound }: { model: PlaybackModel; deviceSound: DeviceSoundModel }) {
  const sound = useReadable(deviceSound.sound);
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const isSilent = sound.isMuted || sound.volume === 0;
  const percent = `${Math.round(sound.volume * 100)} %`;
  return (
    <div className={styles.box}>
      <div className={styles.line}>
        <IconButton
          label={sound.isMuted ? 'Unmute' : 'Mute'}
          aria-pressed={sound.isMuted}
          icon={isSilent ? <SoundOffIcon /> : <SoundIcon />}
          onClick={() => deviceSound.setMuted(!sound.isMuted)}
        />
        <span className={styles.volume}>
          <Slider
            label="Volume"
            value={sound.isMuted ? 0 : sound.volume}
            min={0}
            max={1}
            step={0.05}
            valueText={sound.isMuted ? 'Muted' : percent}
            onChange={(volume) => deviceSound.setVolume(volume)}
          />
        </span>
        <SyncBadge model={model} />
        <IconButton
          label="Sync settings"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelId : undefined}
          icon={<TuneIcon />}
          onClick={() => setIsOpen(!isOpen)}
        />
      </div>
      {isOpen && (
        <div id={panelId} className={styles.panel}>
          <OffsetSetting deviceSound={deviceSound} />
          <Button small onClick={() => model.resync()}>
            Resync
          </Button>
        </div>
      )}
    </div>
  );
}

function SyncBadge({ model }: { model: PlaybackModel }) {
  const words = syncCopy(useSlowReadable(model.follow));
  if (words === null) return <span className={styles.badge} />;
  return (
    <span
      className={classNames(styles.badge, words.isInStep && styles.inStep)}
      title="How far this player may be off the room"
      data-testid="sync-badge"
    >
      {words.text}
    </span>
  );
}

function OffsetSetting({ deviceSound }: { deviceSound: DeviceSoundModel }) {
  const { offsetMs } = useReadable(deviceSound.sound);
  const words = `${offsetMs > 0 ? '+' : ''}${offsetMs} ms`;
  return (
    <div className={styles.offset}>
      <p>
        Bluetooth or slow speakers? Move this until you are in step. <strong>{words}</strong>
      </p>
      <Slider
        label="This device is heard late by"
        value={offsetMs}
        min={-deviceOffsetLimitMs}
        max={deviceOffsetLimitMs}
        step={5}
        valueText={words}
        onChange={(milliseconds) => deviceSound.setOffsetMs(milliseconds)}
      />
    </div>
  );
}
