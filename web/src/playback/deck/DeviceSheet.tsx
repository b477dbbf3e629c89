/** The offset of this device, set by number or by ear, and 'Resync'. Affects this device only. */
import { deviceOffsetLimitMs } from '@tunemate/playback';
import { useEffect, useState } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { Slider } from '../../ui/deck/Slider.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import type { ClockSync } from '../clock-sync.ts';
import styles from './DeviceSheet.module.css';
import type { DeviceSoundModel } from '../device-sound.ts';
import { deviceTickSounds, startTicks, ticksInRound } from '../players/ear-ticks.ts';
import { pageTimers } from '../players/page-timers.ts';
import { t } from '../../language/t.ts';

export interface DeviceSheetProps {
  deviceSound: DeviceSoundModel;
  clockSync: Pick<ClockSync, 'serverNow'>;
  onResync: () => void;
  onClose: () => void;
}

const stepMs = 10;
const pageMs = 50;
/** The switch brings its own padding. */
const outdent = { margin: '0 -8px' } as const;
const ruleStyle = { margin: 0, border: 0, borderTop: '1px solid var(--line)' } as const;
/** Before the first tick. */
const nowhere = -1;

export function DeviceSheet({ deviceSound, clockSync, onResync, onClose }: DeviceSheetProps) {
  const { offsetMs, isEven } = useReadable(deviceSound.sound);
  // A device that is heard late plays earlier by its offset. The user sets when it plays.
  const laterMs = -offsetMs;
  const setLater = (milliseconds: number): void => deviceSound.setOffsetMs(-milliseconds);
  return (
    <Sheet title={t`Sound and sync`} onClose={onClose}>
      <div style={outdent}>
        <Switch
          label={t`Same loudness for all tracks`}
          detail={t`Loud tracks of the library are turned down. YouTube is left as it is.`}
          checked={isEven}
          onChange={(checked) => deviceSound.setEven(checked)}
        />
      </div>
      <hr style={ruleStyle} />
      <div className={styles.figure}>
        <p>{t`This device plays`}</p>
        <output>{wordsOf(laterMs)}</output>
        <p>{t`Bluetooth speakers and televisions are often late. Earlier makes up for it.`}</p>
      </div>
      <div className={styles.offset} dir="ltr">
        <Button variant="quiet" small aria-label={t`10 ms earlier`} onClick={() => setLater(laterMs - stepMs)}>
          −10
        </Button>
        <div>
          <Slider
            label={t`When this device plays`}
            value={laterMs}
            min={-deviceOffsetLimitMs}
            max={deviceOffsetLimitMs}
            step={stepMs}
            pageStep={pageMs}
            valueText={wordsOf(laterMs)}
            onChange={setLater}
          />
          <p className={styles.ends} aria-hidden="true">
            <span>{t`Earlier`}</span>
            <span>{t`Later`}</span>
          </p>
        </div>
        <Button variant="quiet" small aria-label={t`10 ms later`} onClick={() => setLater(laterMs + stepMs)}>
          +10
        </Button>
      </div>
      <ByEar deviceSound={deviceSound} clockSync={clockSync} onMove={(byMs) => setLater(laterMs + byMs)} />
      <p className={styles.note}>{t`“about” beside the figure: this device is not sure of its place yet.`}</p>
      <div className={styles.last}>
        <Button variant="ghost" small onClick={onResync}>
          {t`Resync`}
        </Button>
        {laterMs !== 0 && (
          <Button variant="ghost" small onClick={() => setLater(0)}>
            {t`Back to 0`}
          </Button>
        )}
      </div>
    </Sheet>
  );
}

function wordsOf(laterMs: number): string {
  if (laterMs === 0) return t`with everyone`;
  return laterMs > 0 ? t`${laterMs} ms later` : t`${-laterMs} ms earlier`;
}

interface ByEarProps extends Pick<DeviceSheetProps, 'deviceSound' | 'clockSync'> {
  /** Plays later by this many milliseconds, or earlier. */
  onMove: (byMs: number) => void;
}

function ByEar({ deviceSound, clockSync, onMove }: ByEarProps) {
  const [isTicking, setIsTicking] = useState(false);
  const [place, setPlace] = useState(nowhere);

  // The music would hide the ticks.
  useEffect(() => {
    if (!isTicking) return undefined;
    deviceSound.hush(true);
    const stop = startTicks({
      sounds: deviceTickSounds(),
      nowMs: () => performance.now(),
      serverNow: () => clockSync.serverNow(),
      offsetMs: () => deviceSound.sound.get().offsetMs,
      schedule: pageTimers,
      onTick: setPlace,
    });
    return () => {
      stop();
      deviceSound.hush(false);
      setPlace(nowhere);
    };
  }, [isTicking, deviceSound, clockSync]);

  return (
    <section className={styles.ear} aria-labelledby="by-ear">
      <h3 id="by-ear">{t`By ear`}</h3>
      <p>{t`Put two devices side by side. Both tick. Press until you hear one tick, not two.`}</p>
      {isTicking ? (
        <>
          <div className={styles.beat} aria-hidden="true" data-place={place}>
            {Array.from({ length: ticksInRound }, (_, each) => (
              <i key={each} className={each === place ? styles.now : undefined} />
            ))}
          </div>
          <div className={styles.two}>
            <Button variant="quiet" small onClick={() => onMove(stepMs)}>
              {t`This one is early`}
            </Button>
            <Button variant="quiet" small onClick={() => onMove(-stepMs)}>
              {t`This one is late`}
            </Button>
          </div>
          <Button variant="primary" onClick={() => setIsTicking(false)}>
            {t`They sound as one`}
          </Button>
        </>
      ) : (
        <Button variant="quiet" small onClick={() => setIsTicking(true)}>
          {t`Start ticking`}
        </Button>
      )}
    </section>
  );
}
